import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openProject } from '../../../codemods/project/open.js';
import { parseErrors } from '../../../codemods/project/parseErrors.js';
import { countErrors, errorDifference, typeErrors } from '../../../codemods/project/typeErrors.js';

const ROOT = '/nowhere/project';

function errorsOf(files: Record<string, string>) {
    const texts = new Map(Object.entries(files).map(([path, text]) => [join(ROOT, path), text]));
    return typeErrors(openProject({ root: ROOT, files: texts }).project, ROOT, texts.keys());
}

describe('type errors', () => {
    const ERROR = 'export const wrong: number = "";\n';
    const MESSAGE = `Type 'string' is not assignable to type 'number'.`;

    it('are a multiset of path, code and message: a line or a second time is no part of them', () => {
        const before = errorsOf({ 'a.ts': ERROR, 'b.ts': ERROR, 'c.ts': '' });
        const after = errorsOf({ 'a.ts': '\n\n' + ERROR + ERROR.replace('wrong', 'again'), 'b.ts': '', 'c.ts': ERROR });
        expect([countErrors(before), countErrors(after)]).toEqual([2, 3]);
        expect(errorDifference(after, before)).toEqual([
            { path: 'a.ts', code: 2322, message: MESSAGE },
            { path: 'c.ts', code: 2322, message: MESSAGE }
        ]);
        expect(errorDifference(before, after)).toEqual([{ path: 'b.ts', code: 2322, message: MESSAGE }]);
    });

    it('are the same when a union prints in another order', () => {
        const wrong = `interface Left { left: 1 }\ninterface Right { right: 1 }\nexport const wrong: number = [] as (Left | Right)[];\n`;
        const plain = errorsOf({ 'a.ts': wrong });
        const turned = errorsOf({ 'a.ts': 'export declare const first: Right;\nfirst.right;\n' + wrong });
        const messages = [plain, turned].map(errors => [...errors.values()].map(({ error }) => error.message));
        // If this fails the compiler orders unions by itself now, and the comparison need not.
        expect(messages[0]).not.toEqual(messages[1]);
        expect(errorDifference(turned, plain)).toEqual([]);
    });

    it('of JavaScript are its syntax errors alone', () => {
        expect(countErrors(errorsOf({ 'a.js': 'const a = 1; a.b.c(); nobody();', 'b.mjs': 'const b = ;' }))).toBe(1);
    });
});

describe('syntax errors', () => {
    it('have a line and a column', () => {
        expect(parseErrors('const a = 1;\nconst b = ;\n', 'a.ts')).toEqual([
            { line: 2, column: 11, message: 'Expression expected.' }
        ]);
    });

    it.each([
        ['a.ts', 'const a = <T,>(x: T) => x as unknown;'],
        ['a.tsx', 'const a = <div>{1 as number}</div>;'],
        ['a.jsx', 'const a = <div/>;'],
        ['a.js', '#!/usr/bin/env node\nconst a = <div/>;\nawait null;'],
        ['a.cjs', 'return require("x");'],
        ['a.mjs', 'import x from "x" with { type: "json" };'],
        ['a.cts', 'import x = require("x");']
    ])('are not what %s may say', (name, text) => {
        expect(parseErrors(text, name)).toEqual([]);
    });

    it('are types in JavaScript', () => {
        expect(parseErrors('const a = (x: number) => x;', 'a.js')).toHaveLength(1);
    });
});
