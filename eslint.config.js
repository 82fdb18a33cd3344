/** The lint rules of widget/, relay/, demo/ and test/. */
import lit from 'eslint-plugin-lit';
import a11y from 'eslint-plugin-lit-a11y';
import wc from 'eslint-plugin-wc';
import tseslint from 'typescript-eslint';

const root = new URL('.', import.meta.url).pathname;

export default tseslint.config(
  {
    ignores: [
      '**/dist/**',
      '**/node_modules/**',
      '**/coverage/**',
      '**/*.js',
      // these apps have compilers and type checks of their own
      'test/proofs/frameworks/apps/**',
      'test/proofs/frameworks/medusa/**',
      'test/proofs/frameworks/vendure/**',
    ],
  },
  {
    basePath: root,
    files: ['**/*.ts'],
    extends: [...tseslint.configs.recommended],
    languageOptions: { parserOptions: { projectService: true, tsconfigRootDir: root } },
    rules: {
      '@typescript-eslint/no-floating-promises': 'error',
      '@typescript-eslint/no-misused-promises': [
        'error',
        { checksVoidReturn: { attributes: false } },
      ],
      '@typescript-eslint/consistent-type-imports': 'error',
      '@typescript-eslint/switch-exhaustiveness-check': [
        'error',
        { considerDefaultExhaustiveForUnions: true },
      ],
      '@typescript-eslint/no-unused-vars': [
        'error',
        { argsIgnorePattern: '^_', varsIgnorePattern: '^_' },
      ],
      eqeqeq: ['error', 'smart'],
      'no-nested-ternary': 'error',
      'max-len': ['error', { code: 100, ignoreUrls: true }],
      'max-statements-per-line': ['error', { max: 2 }],
    },
  },
  // a longer file of the product does more than one thing
  {
    basePath: root,
    files: ['relay/**/*.ts', 'widget/**/*.ts', 'demo/**/*.ts'],
    rules: { 'max-lines': ['error', 400] },
  },
  // `describe` and `it` of node:test return promises that a test file need not await
  {
    basePath: root,
    files: ['test/**/*.test.ts'],
    rules: { '@typescript-eslint/no-floating-promises': 'off' },
  },
  {
    basePath: root,
    files: ['test/**/*.test.ts'],
    ignores: ['**/*.{process,browser,e2e}.test.ts'],
    rules: {
      'no-restricted-syntax': [
        'error',
        {
          selector:
            "CallExpression[callee.property.name='enable']:matches([arguments.length=0], " +
            ":has(Literal[value='Date']))",
          message: 'Other files share this process and its clock: name the file *.process.test.ts.',
        },
      ],
    },
  },
  {
    basePath: root,
    files: ['widget/**/*.ts'],
    extends: [lit.configs['flat/recommended'], wc.configs['flat/recommended']],
    plugins: { 'lit-a11y': a11y },
    rules: {
      ...a11y.configs.recommended.rules,
      'no-console': ['error', { allow: ['warn', 'error'] }],
      'wc/guard-super-call': 'off',
    },
  },
);
