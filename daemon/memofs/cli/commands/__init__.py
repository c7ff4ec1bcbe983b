"""One module a family of commands; `memofs.cli.catalog` names them and loads one when it is asked for."""
