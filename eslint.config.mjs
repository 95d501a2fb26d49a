import js from '@eslint/js';
import ts from 'typescript';
import tseslint from 'typescript-eslint';

/** The lists whose elements may be asserted: numbers, such as columns of heads and the numbers of lines. */
const NUMBER_LISTS = /^(?:(?:Big)?(?:Int|Uint|Float)\d+(?:Clamped)?Array|Buffer|Array|ReadonlyArray|ArrayLike)$/;

/**
 * Forbids `!` after anything else than an element of a list of numbers. These are read in loops over all lines or entries,
 * which keep the index within the length. A lookup that checks it (`elementAt`) takes 6 ns there instead of 1: it reads
 * lists of all kinds, so the engine can't specialize it. @type {import('eslint').Rule.RuleModule}
 */
const nonNullAssertion = {
  meta: {
    type: 'suggestion',
    schema: [],
    messages: { unchecked: 'Nothing checks this `!`. Use a better type, destructuring, a check or `elementAt`, `lastOf` and `valueOf`.' },
  },
  create: (context) => {
    const services = context.sourceCode.parserServices;
    const isNumberList = (list) => {
      const type = services.getTypeAtLocation(list);
      const element = services.program.getTypeChecker().getIndexTypeOfType(type, ts.IndexKind.Number);
      return NUMBER_LISTS.test(type.getSymbol()?.name ?? '') && element !== undefined && (element.flags & ts.TypeFlags.NumberLike) !== 0;
    };
    return {
      TSNonNullExpression(node) {
        const { expression } = node;
        const isElement = expression.type === 'MemberExpression' && expression.computed;
        if (!isElement || !isNumberList(expression.object)) context.report({ node, messageId: 'unchecked' });
      },
    };
  },
};

/** Asks for the reason of a cast: a comment on its line or above, or above its statement. @type {import('eslint').Rule.RuleModule} */
const explainedCast = {
  meta: {
    type: 'suggestion',
    schema: [],
    messages: { unexplained: 'Nothing checks this cast. Use a better type or a type guard, or say in a comment why it holds.' },
  },
  create: (context) => {
    const commented = new Set(context.sourceCode.getAllComments().map(({ loc }) => loc.end.line));
    return {
      TSAsExpression(node) {
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
 * properties at once, have no shorter form. @type {import('eslint').Rule.RuleModule}
 */
const optionalProperty = {
  meta: {
    type: 'suggestion',
    schema: [],
    messages: { spread: 'Use `...defined({ … })` (src/core/format/entry/defined.ts) for properties that may be undefined.' },
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

export default tseslint.config(
  {
    ignores: [
      'dist/',
      'out/',
      'test/host/**/node_modules/',
      'test/types/',
      'test/race/node_modules/',
      '.vscode-test/',
      'src/core/format/wasm/**/*.ts',
    ],
  },
  js.configs.recommended,
  // The strict rules that need types are those of `.oxlintrc.json`, because oxlint checks them many times faster.
  ...tseslint.configs.strict,
  {
    rules: {
      '@typescript-eslint/no-non-null-assertion': 'off',
      '@typescript-eslint/consistent-type-imports': 'error',
    },
  },
  {
    files: ['src/**/*.ts'],
    languageOptions: {
      parserOptions: { project: ['./tsconfig.json', './src/context/page/tsconfig.json'], tsconfigRootDir: import.meta.dirname },
    },
    plugins: {
      local: { rules: { 'explained-cast': explainedCast, 'non-null-assertion': nonNullAssertion, 'optional-property': optionalProperty } },
    },
    rules: { 'local/explained-cast': 'error', 'local/non-null-assertion': 'error', 'local/optional-property': 'error' },
  },
  {
    files: ['**/*.mjs'],
    languageOptions: {
      globals: {
        process: 'readonly',
        console: 'readonly',
        Buffer: 'readonly',
        URL: 'readonly',
        URLSearchParams: 'readonly',
        setTimeout: 'readonly',
        clearTimeout: 'readonly',
        fetch: 'readonly',
        AbortController: 'readonly',
        AbortSignal: 'readonly',
      },
    },
  },
);
