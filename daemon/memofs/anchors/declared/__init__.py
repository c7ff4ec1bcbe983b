"""What the grammars call declarations, by language: node types, names and kinds. Pure."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from memofs.anchors.declared.bash import BASH
from memofs.anchors.declared.c_family import C_FAMILY
from memofs.anchors.declared.csharp import CSHARP
from memofs.anchors.declared.ecmascript import ECMASCRIPT
from memofs.anchors.declared.go import GO
from memofs.anchors.declared.java import JAVA
from memofs.anchors.declared.mappings import JSON, YAML
from memofs.anchors.declared.markdown import MARKDOWN
from memofs.anchors.declared.php import PHP
from memofs.anchors.declared.python import PYTHON
from memofs.anchors.declared.ruby import RUBY
from memofs.anchors.declared.rules import Rules
from memofs.anchors.declared.rust import RUST
from memofs.anchors.language import LanguageName

__all__ = ["DECLARED"]

DECLARED: Final[Mapping[LanguageName, Rules]] = MappingProxyType(
    {
        "bash": BASH,
        "c": C_FAMILY,
        "cpp": C_FAMILY,
        "csharp": CSHARP,
        "go": GO,
        "java": JAVA,
        "javascript": ECMASCRIPT,
        "json": JSON,
        "jsx": ECMASCRIPT,
        "markdown": MARKDOWN,
        "php": PHP,
        "python": PYTHON,
        "ruby": RUBY,
        "rust": RUST,
        "tsx": ECMASCRIPT,
        "typescript": ECMASCRIPT,
        "yaml": YAML,
    }
)
