import { describe, expect, it } from 'vitest';
import { applyEdits } from '../../../codemods/edits/applyEdits.js';
import type { Edit } from '../../../codemods/edits/edit.js';
import { ImportRequests, relativeSpecifier, removeOrphans } from '../../../codemods/edits/imports.js';
import type { ModuleFact } from '../../../codemods/facts/facts.js';
import { moduleFact } from '../../../codemods/project/modules.js';
import { openProject } from '../../../codemods/project/open.js';

const FILE = '/project/src/server.ts';

function factOf(text: string, file = FILE): ModuleFact {
    const { project } = openProject({ root: '/project', files: new Map([[file, text]]) });
    return moduleFact(project.getSourceFileOrThrow(file));
}

function withImports(text: string, wanted: [string, string][], file = FILE): string {
    const requests = new ImportRequests([factOf(text, file)]);
    for (const [module, name] of wanted) requests.add(file, module, name);
    return applyEdits(text, requests.edits([], 'imports', 'g'));
}

describe('adding imports', () => {
    it('writes a line behind the last import, in the style of the file', () => {
        const text = 'import a from "a" // why\nimport b from "b"\n\na(b)\n';
        expect(withImports(text, [['mcp-mrtr', 'elicit']])).toBe(
            'import a from "a" // why\nimport b from "b"\nimport { elicit } from "mcp-mrtr"\n\na(b)\n'
        );
    });

    it('adds to an import of the same module', () => {
        const text = "import {\n    sample,\n} from 'mcp-mrtr';\nsample;\n";
        expect(withImports(text, [['mcp-mrtr', 'elicit']])).toBe(
            "import {\n    sample, elicit,\n} from 'mcp-mrtr';\nsample;\n"
        );
    });

    it('does not add what is there, under whatever local name', () => {
        const text = "import { elicit as ask } from 'mcp-mrtr';\nask;\n";
        expect(withImports(text, [['mcp-mrtr', 'elicit']])).toBe(text);
    });

    it('gives another name where the file has that one for something else', () => {
        const text = "import x from 'x';\nfunction elicit() {}\n";
        expect(withImports(text, [['mcp-mrtr', 'elicit']])).toBe(
            "import x from 'x';\nimport { elicit as mrtrElicit } from 'mcp-mrtr';\nfunction elicit() {}\n"
        );
        expect(new ImportRequests([factOf(text)]).add(FILE, 'mcp-mrtr', 'elicit')).toBe('mrtrElicit');
    });

    it('takes no member for a name', () => {
        const text = "import x from 'x';\nx.elicit({ sample: 1 });\n";
        const requests = new ImportRequests([factOf(text)]);
        expect(requests.add(FILE, 'mcp-mrtr', 'elicit')).toBe('elicit');
        expect(requests.add(FILE, 'mcp-mrtr', 'sample')).toBe('sample');
    });

    it('imports types as types', () => {
        expect(withImports('', [['mcp-mrtr', 'type NeedContext']])).toBe(
            "import type { NeedContext } from 'mcp-mrtr';\n"
        );
        expect(
            withImports('', [
                ['mcp-mrtr', 'type NeedContext'],
                ['mcp-mrtr', 'elicit']
            ])
        ).toBe("import { elicit, type NeedContext } from 'mcp-mrtr';\n");
    });

    it('stays behind a shebang and a directive', () => {
        const file = '/project/bin.cjs';
        const text = "#!/usr/bin/env node\n'use strict';\nmodule.exports = 1;\n";
        expect(withImports(text, [['mcp-mrtr', 'elicit']], file)).toBe(
            "#!/usr/bin/env node\n'use strict';\nconst { elicit } = require('mcp-mrtr');\nmodule.exports = 1;\n"
        );
    });
});

describe('relative specifiers', () => {
    it.each([
        ["import './a.js';", './mrtr.js'],
        ["import './a.ts';", './mrtr.ts'],
        ["import './a';", './mrtr'],
        ['', './mrtr.js']
    ])('follow the imports of the file: %s', (text, expected) => {
        expect(relativeSpecifier(factOf(text), '/project/src/mrtr.ts')).toBe(expected);
    });

    it('go up', () => {
        expect(relativeSpecifier(factOf('', '/project/src/tools/a.ts'), '/project/src/mrtr.ts')).toBe('../mrtr.js');
    });
});

describe('removing orphaned imports', () => {
    const without = (text: string, removed: string): string => {
        const start = text.lastIndexOf(removed);
        const edits: Edit[] = [{ file: FILE, start, end: start + removed.length, text: '', rule: 'r', group: 'g' }];
        return applyEdits(text, [...edits, ...removeOrphans(factOf(text), edits, text, 'imports', 'g')]);
    };

    it('takes the line with the last name', () => {
        expect(without("import { a } from 'x';\nb();\na;\n", 'a;')).toBe('b();\n\n');
    });

    it.each([
        ["import { a, b, c } from 'x';\nb;c;\na;", 'a;', "import { b, c } from 'x';\nb;c;\n"],
        ["import { a, b, c } from 'x';\na;b;\nc;", 'c;', "import { a, b } from 'x';\na;b;\n"],
        ["import { a, b, c } from 'x';\na;\nb;c;", 'b;c;', "import { a } from 'x';\na;\n"],
        ["import { a, b, c } from 'x';\nb;\na;c;", 'a;c;', "import { b } from 'x';\nb;\n"]
    ])('keeps a valid list: %s without %s', (text, removed, expected) => {
        expect(without(text, removed)).toBe(expected);
    });

    it('leaves a name that is used elsewhere, and one that was never used', () => {
        const text = "import { a, unused } from 'x';\na;\na;\n";
        expect(without(text, 'a;')).toBe("import { a, unused } from 'x';\na;\n\n");
    });
});
