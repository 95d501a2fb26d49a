import js from '@eslint/js';
import tseslint from 'typescript-eslint';

/** The types whose elements are numbers. An index within their length, which loops keep to, always finds one. */
const TYPED_ARRAYS = /^(?:(?:Big)?(?:Int|Uint|Float)\d+(?:Clamped)?Array|Buffer)$/;

/** Forbids `!` after anything else than an element of a typed array. @type {import('eslint').Rule.RuleModule} */
const nonNullAssertion = {
  meta: {
    type: 'suggestion',
    schema: [],
    messages: { unchecked: 'Nothing checks this `!`. Use a better type, destructuring, a check or a default.' },
  },
  create: (context) => ({
    TSNonNullExpression(node) {
      const { expression } = node;
      const isElement = expression.type === 'MemberExpression' && expression.computed;
      const type = isElement ? context.sourceCode.parserServices.getTypeAtLocation(expression.object) : undefined;
      if (type === undefined || !TYPED_ARRAYS.test(type.getSymbol()?.name ?? '')) context.report({ node, messageId: 'unchecked' });
    },
  }),
};

/** Folders that still have assertions which the rule below forbids. Folders may only leave this list. */
const WITH_NON_NULL_ASSERTIONS = [
  'context/{articles,snapshot}',
  'context/page/{branches,content,find,messages,overview}',
  'context/shared',
  'core/catalog',
  'core/format/{columns,context,lineOrigins,scanner}',
];

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
  ...tseslint.configs.strictTypeChecked,
  {
    languageOptions: {
      parserOptions: { project: ['./tsconfig.json', './src/context/page/tsconfig.json'], tsconfigRootDir: import.meta.dirname },
    },
    rules: {
      '@typescript-eslint/restrict-template-expressions': ['error', { allowNumber: true, allowBoolean: true }],
      '@typescript-eslint/no-confusing-void-expression': ['error', { ignoreArrowShorthand: true }],
      '@typescript-eslint/no-non-null-assertion': 'off',
      '@typescript-eslint/consistent-type-imports': 'error',
      '@typescript-eslint/switch-exhaustiveness-check': ['error', { considerDefaultExhaustiveForUnions: true }],
    },
  },
  {
    files: ['src/**/*.ts'],
    plugins: { local: { rules: { 'non-null-assertion': nonNullAssertion, 'optional-property': optionalProperty } } },
    rules: { 'local/optional-property': 'error' },
  },
  {
    files: ['src/**/*.ts'],
    ignores: WITH_NON_NULL_ASSERTIONS.map((folder) => `src/${folder}/**`),
    rules: { 'local/non-null-assertion': 'error' },
  },
  {
    files: ['**/*.mjs'],
    ...tseslint.configs.disableTypeChecked,
    languageOptions: {
      ...tseslint.configs.disableTypeChecked.languageOptions,
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
