"""Memory files on the disk: found, read, watched and written. The engine holds one `store.store.Store`."""
