import tseslint from 'typescript-eslint';

export default tseslint.config(
    { ignores: ['dist', 'dist.new-*', 'node_modules', 'fixtures'] },
    ...tseslint.configs.strictTypeChecked,
    {
        languageOptions: { parserOptions: { projectService: { allowDefaultProject: ['*.js', 'scripts/*.mjs'] } } },
        rules: {
            '@typescript-eslint/restrict-template-expressions': ['error', { allowNumber: true }],
            '@typescript-eslint/no-confusing-void-expression': ['error', { ignoreArrowShorthand: true }],
            '@typescript-eslint/no-unused-vars': ['error', { ignoreRestSiblings: true }],
            '@typescript-eslint/consistent-type-imports': 'error'
        }
    },
    { files: ['**/*.js', '**/*.mjs', '**/*.cjs'], extends: [tseslint.configs.disableTypeChecked] },
    {
        // Sampling and roots are deprecated since 2026-07-28 (SEP-2577): serving them is what the runtime is for.
        files: ['shim/**', 'test/shim/**'],
        rules: { '@typescript-eslint/no-deprecated': 'off' }
    },
    {
        // The classes of ts-morph extend intersections of mixins, in which this rule does not find `Node`: it reports
        // every narrowed node that is given to a function.
        files: ['codemods/project/**', 'codemods/upgrade/**'],
        rules: { '@typescript-eslint/no-unsafe-class-instance-assignment': 'off' }
    },
    {
        files: ['test/**'],
        rules: { '@typescript-eslint/no-non-null-assertion': 'off' }
    }
);
