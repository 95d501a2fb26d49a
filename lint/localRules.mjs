// The project's own lint rules, which oxlint loads as a plugin.
import { dirname } from 'node:path';
import ts from 'typescript';

/** The lists whose elements may be asserted: numbers, such as columns of heads and the numbers of lines. */
const NUMBER_LISTS = /^(?:(?:Big)?(?:Int|Uint|Float)\d+(?:Clamped)?Array|Buffer|Array|ReadonlyArray|ArrayLike)$/;

/**
 * Forbids `!` after anything else than an element of a list of numbers. These are read in loops over all lines or entries,
 * which keep the index within the length. A lookup that checks it (`elementAt`) takes 6 ns there instead of 1: it reads
 * lists of all kinds, so the engine can't specialize it.
 */
const nonNullAssertion = {
  meta: {
    type: 'suggestion',
    schema: [],
    messages: { unchecked: 'Nothing checks this `!`. Use a better type, destructuring, a check or `elementAt`, `lastOf` and `valueOf`.' },
  },
  create: (context) => ({
    TSNonNullExpression(node) {
      const { expression } = node;
      const isElement = expression.type === 'MemberExpression' && expression.computed;
      if (!isElement || !isNumberList(context.filename, expression.object.range)) context.report({ node, messageId: 'unchecked' });
    },
  }),
};

/** Whether the expression at a range of a file is a list of numbers. */
function isNumberList(path, [start, end]) {
  const program = programOf(path);
  const file = program.getSourceFile(path);
  const checker = program.getTypeChecker();
  const type = checker.getTypeAtLocation(nodeAt(file, start, end));
  const element = checker.getIndexTypeOfType(type, ts.IndexKind.Number);
  return NUMBER_LISTS.test(type.getSymbol()?.name ?? '') && element !== undefined && (element.flags & ts.TypeFlags.NumberLike) !== 0;
}

/** The programs of the projects, by the path of their configuration. @type {Map<string, ts.Program>} */
const programs = new Map();

/** Returns the program that a file belongs to, because plugins of oxlint receive no types. */
function programOf(path) {
  const config = ts.findConfigFile(path, ts.sys.fileExists);
  const known = programs.get(config);
  if (known) return known;
  const { options, fileNames } = ts.parseJsonConfigFileContent(ts.readConfigFile(config, ts.sys.readFile).config, ts.sys, dirname(config));
  const program = ts.createProgram(
    fileNames.filter((name) => name.includes('/src/')),
    options,
  );
  programs.set(config, program);
  return program;
}

function nodeAt(file, start, end) {
  let found = file;
  for (
    let next = file;
    next;
    next = ts.forEachChild(next, (child) => (child.getStart(file) <= start && child.end >= end ? child : undefined))
  )
    found = next;
  return found;
}

/** Asks for the reason of a cast: a comment on its line or above, or above its statement. */
const explainedCast = {
  meta: {
    type: 'suggestion',
    schema: [],
    messages: { unexplained: 'Nothing checks this cast. Use a better type or a type guard, or say in a comment why it holds.' },
  },
  create: (context) => {
    let commented;
    return {
      TSAsExpression(node) {
        commented ??= new Set(context.sourceCode.getAllComments().map(({ loc }) => loc.end.line));
        const target = context.sourceCode.getText(node.typeAnnotation);
        // These claim nothing about values: `as const` keeps what is inferred, the others say that the contents are unknown.
        if (/^(?:const|(?:readonly )?unknown(?:\[\])?|Record<string, unknown>)$/.test(target)) return;
        let statement = node;
        while (!/(?:Statement|Declaration|PropertyDefinition|MethodDefinition)$/.test(statement.type)) statement = statement.parent;
        const { start, end } = node.loc;
        const lines = [statement.loc.start.line - 1, start.line - 1, start.line, end.line];
        if (!lines.some((line) => commented.has(line))) context.report({ node, messageId: 'unexplained' });
      },
    };
  },
};

/**
 * Forbids to spread one property under the condition that it has a value. Spreads under other conditions, or of several
 * properties at once, have no shorter form.
 */
const optionalProperty = {
  meta: {
    type: 'suggestion',
    schema: [],
    messages: { spread: 'Use `...defined({ … })` (src/core/format/values/defined.ts) for properties that may be undefined.' },
  },
  create: (context) => ({
    'ObjectExpression > SpreadElement > ConditionalExpression'({ test, consequent, alternate }) {
      const isEmpty = ({ type, properties }) => type === 'ObjectExpression' && properties.length === 0;
      const object = isEmpty(consequent) ? alternate : isEmpty(alternate) ? consequent : undefined;
      if (object?.type !== 'ObjectExpression' || object.properties.length !== 1 || object.properties[0].type !== 'Property') return;
      const [condition, value] = [test, object.properties[0].value].map((node) => context.sourceCode.getText(node));
      if (condition.replace(/ [!=]== undefined$/, '') === value) context.report({ node: object, messageId: 'spread' });
    },
  }),
};

export default {
  meta: { name: 'local' },
  rules: { 'explained-cast': explainedCast, 'non-null-assertion': nonNullAssertion, 'optional-property': optionalProperty },
};
