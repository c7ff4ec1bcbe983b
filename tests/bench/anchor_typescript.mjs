// Prints the outline of TypeScript and JavaScript files, by the `typescript` package: for anchor_typescript.py.
//
// Standard input: one JSON object a line, {"path", "text"}. Standard output: one a line, {"path", "outline"}, with
// offsets in UTF-16 code units and codes as text. The code of a declaration is what TypeScript's printer makes of it
// without comments, once quotes, parentheses that say nothing and empty statements are gone; that of a statement or
// expression is the tokens in it.
import { createRequire } from "node:module";
import { createInterface } from "node:readline";

const ts = createRequire(`${process.argv[2]}/`)("typescript");
const printer = ts.createPrinter({ removeComments: true, newLine: ts.NewLineKind.LineFeed });
const SHORTEST_EXPRESSION = 4;
const SHORTEST_NAME = 10;
const OPEN = "\u27e8", CLOSE = "\u27e9";
const { SyntaxKind: Kind, factory } = ts;

const scriptKind = (path) =>
  path.endsWith("x") ? ts.ScriptKind.TSX : /\.[cm]?ts$/.test(path) ? ts.ScriptKind.TS : ts.ScriptKind.JSX;

function printed(node, source) {
  const bare = (context) => {
    const visit = (each) => {
      const next = ts.visitEachChild(each, visit, context);
      if (ts.isParenthesizedExpression(next)) return next.expression;
      if (ts.isParenthesizedTypeNode(next)) return next.type;
      if (ts.isStringLiteral(next)) return factory.createStringLiteral(next.text);
      if (ts.isNumericLiteral(next)) return factory.createNumericLiteral(String(Number(next.text)));
      if (ts.isEmptyStatement(next)) return undefined;
      if (ts.isJsxText(next)) return factory.createJsxText(next.text.replace(/\s+/g, " ").trim());
      if (ts.isPropertyAssignment(next) && ts.isStringLiteral(next.name) && /^[A-Za-z_$][\w$]*$/.test(next.name.text))
        return factory.createPropertyAssignment(next.name.text, next.initializer);
      // Made anew, so that a single parameter gets its parentheses.
      if (ts.isArrowFunction(next))
        return factory.createArrowFunction(
          next.modifiers, next.typeParameters, next.parameters, next.type, next.equalsGreaterThanToken, next.body);
      return next;
    };
    return (root) => ts.visitNode(root, visit);
  };
  const result = ts.transform(node, [bare]);
  const text = printer.printNode(ts.EmitHint.Unspecified, result.transformed[0], source);
  result.dispose();
  return text.replace(/\s+/g, " ").replace(/[,;|&]? ?([)\]}>])/g, "$1").replace(/([([{<:=,]) ?[|&]? /g, "$1");
}

function outline(path, text) {
  const source = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true, scriptKind(path));
  if (source.parseDiagnostics.length) return null;
  const declared = [], statements = [], expressions = [], tokens = [], tokenStarts = [];
  let blocks = 0;
  const put = (token, start) => {
    tokens.push(token);
    tokenStarts.push(start);
  };

  // Parentheses in the text say nothing; what they may say is said by a bracket around each operation.
  (function collect(node) {
    if (node.kind >= Kind.FirstJSDocNode && node.kind <= Kind.LastJSDocNode) return;
    const children = node.getChildren(source);
    const grouped = ts.isBinaryExpression(node) || ts.isConditionalExpression(node);
    if (grouped) put(OPEN, node.getStart(source));
    const bare = ts.isParenthesizedExpression(node) || ts.isParenthesizedTypeNode(node)
      || (ts.isArrowFunction(node) && node.parameters.length === 1 && !node.parameters[0].type);
    for (const child of children) {
      if (bare && (child.kind === Kind.OpenParenToken || child.kind === Kind.CloseParenToken)) continue;
      collect(child);
    }
    if (grouped) put(CLOSE, node.end - 1);
    if (children.length) return;
    const piece = node.getText(source);
    if (piece) put(node.kind === Kind.StringLiteral ? JSON.stringify(node.text) : piece, node.getStart(source));
  })(source);

  const first = (offset) => {
    let low = 0, high = tokenStarts.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (tokenStarts[middle] < offset) low = middle + 1; else high = middle;
    }
    return low;
  };
  const code = (start, end) => {
    const found = tokens.slice(first(start), first(end)).filter((each, at, all) =>
      each !== ";" && !(each === "," && ")]}".includes(all[at + 1] ?? " ")));
    // Brackets of operations that are only partly in the piece.
    const open = [], drop = new Set();
    found.forEach((each, at) => {
      if (each === OPEN) open.push(at);
      else if (each === CLOSE && open.pop() === undefined) drop.add(at);
    });
    open.forEach((at) => drop.add(at));
    return found.filter((_, at) => !drop.has(at)).join(" ");
  };

  // A comment with a blank line behind it is about something else: a type, the file.
  const documented = (node) => {
    const docs = node.jsDoc?.at(-1);
    const start = node.getStart(source);
    return docs && !/\n[ \t]*\n/.test(text.slice(docs.end, start)) ? docs.pos : start;
  };
  const member = (node) => ts.isClassElement(node) || ts.isTypeElement(node) || ts.isEnumMember(node);

  function declare(node, name, kind, role = "") {
    declared.push({
      name, kind, role, start: node.getStart(source), end: node.end, documented: documented(node),
      code: codeOf(node), parameters: (node.parameters ?? []).map((each) => each.getText(source)).join(","),
    });
  }
  // The printer gives up on a few nodes that it is asked to print alone.
  function codeOf(node) {
    try {
      return printed(node, source);
    } catch {
      return code(node.getStart(source), node.end);
    }
  }
  const nameOf = (node) => node.name?.getText(source).replace(/^["']|["']$/g, "");
  // What stands in an object that is only passed on has no name that would tell it from its like.
  const hasName = ({ parent }) =>
    ts.isVariableDeclaration(parent) || ts.isPropertyAssignment(parent) || ts.isPropertyDeclaration(parent)
    || ts.isBinaryExpression(parent) || ts.isExportAssignment(parent);
  const isFunction = (node) => node && (ts.isArrowFunction(node) || ts.isFunctionExpression(node));

  // Declares what `node` declares and returns the qualified names of what is in it.
  function names(node, around) {
    const qualified = (name) => (around ? `${around}.${name}` : name);
    if (ts.isFunctionDeclaration(node) && node.name) {
      declare(node, qualified(nameOf(node)), "function", node.body ? "" : "signature");
      return qualified(nameOf(node));
    }
    if ((ts.isClassDeclaration(node) || ts.isInterfaceDeclaration(node)) && node.name) {
      if (ts.isClassDeclaration(node)) declare(node, qualified(nameOf(node)), "class");
      return qualified(nameOf(node));
    }
    if (ts.isClassExpression(node)) return qualified(nameOf(node) ?? "class");
    if (ts.isModuleDeclaration(node)) return qualified(nameOf(node));
    if (ts.isConstructorDeclaration(node)) {
      declare(node, qualified("constructor"), "method", node.body ? "" : "signature");
      return qualified("constructor");
    }
    if (node.parent && ts.isObjectLiteralExpression(node.parent) && !hasName(node.parent)) return around;
    if (ts.isMethodDeclaration(node) || ts.isGetAccessor(node) || ts.isSetAccessor(node)) {
      const role = ts.isGetAccessor(node) ? "get" : ts.isSetAccessor(node) ? "set" : node.body ? "" : "signature";
      declare(node, qualified(nameOf(node)), "method", role);
      return qualified(nameOf(node));
    }
    if ((ts.isPropertyDeclaration(node) || ts.isPropertyAssignment(node)) && isFunction(node.initializer)) {
      declare(node, qualified(nameOf(node)), "method");
      return qualified(nameOf(node));
    }
    if (ts.isVariableStatement(node) && node.declarationList.declarations.length === 1) {
      const only = node.declarationList.declarations[0];
      if (ts.isIdentifier(only.name) && only.initializer) {
        if (isFunction(only.initializer)) declare(node, qualified(nameOf(only)), "function");
        if (isFunction(only.initializer) || ts.isObjectLiteralExpression(only.initializer)) return qualified(nameOf(only));
      }
    }
    if (ts.isExpressionStatement(node) && ts.isBinaryExpression(node.expression)
        && node.expression.operatorToken.kind === Kind.EqualsToken && isFunction(node.expression.right)) {
      const name = qualified(node.expression.left.getText(source).replace(/\s+/g, ""));
      declare(node, name, "function");
      return name;
    }
    return around;
  }

  function lists(node) {
    const found = [];
    for (const field of ["statements", "members", "clauses"]) if (node[field]) found.push(node[field]);
    return found;
  }

  function head(node, start) {
    let inner = -1;
    (function look(each) {
      if (inner >= 0) return;
      if (each !== node && (lists(each).length || ts.isCaseBlock(each))) { inner = each.getStart(source); return; }
      ts.forEachChild(each, look);
    })(node);
    if (node.members) inner = node.members.pos;
    return inner < 0 || inner <= start ? "" : code(start, inner);
  }

  function walk(node, parent, block, around, depth) {
    if (depth > 400) return;
    let number = parent;
    const start = node.getStart(source);
    if (block >= 0) {
      number = statements.length;
      statements.push({
        type: Kind[node.kind], start, end: node.end, code: code(start, node.end), head: head(node, start), block, parent,
      });
    } else if (isPart(node) && node.end - start >= SHORTEST_EXPRESSION && parent >= 0
        && !text.slice(start, node.end).includes("\n")) {
      expressions.push({ type: Kind[node.kind], start, end: node.end, code: code(start, node.end), statement: parent });
    }
    const inside = names(node, around);
    const listed = new Set();
    for (const list of lists(node)) {
      const id = blocks++;
      for (const child of list) { listed.add(child); walk(child, number, id, inside, depth + 1); }
    }
    ts.forEachChild(node, (child) => { if (!listed.has(child)) walk(child, number, -1, inside, depth + 1); });
  }

  const isPart = (node) => ts.isIdentifier(node) ? node.text.length >= SHORTEST_NAME :
    (ts.isExpression(node) && !ts.isJsxElement(node) && !ts.isParenthesizedExpression(node)) || ts.isParameter(node) || ts.isPropertyAssignment(node)
    || ts.isJsxAttribute(node) || ts.isTypeReferenceNode(node) || ts.isUnionTypeNode(node);

  walk(source, -1, -1, "", 0);
  statements.forEach((each) => { if (each.parent < 0) each.parent = -1; });
  return { declared, statements, expressions };
}

for await (const line of createInterface({ input: process.stdin, crlfDelay: Infinity })) {
  const { path, text } = JSON.parse(line);
  let found = null;
  try {
    found = outline(path, text);
  } catch (error) {
    process.stderr.write(`${path}: ${error.message}\n`);
  }
  process.stdout.write(`${JSON.stringify({ path, outline: found })}\n`);
}
