import { expect, it } from 'vitest';
import { zodMajorOf } from '../../../codemods/upgrade/ranges.js';
import { zod3Files } from '../../../codemods/upgrade/zod3Files.js';
import { zodVersions } from '../../../codemods/upgrade/zodVersions.js';

it('files that give the SDK no schema keep zod 3, however they import it', () => {
    const text = `import { z } from 'zod';\nexport * from "zod";\nconst a = require('zod');\nconst b = await import('zod');\nlet c: import('zod').ZodType;\nimport { d } from 'zod-to-json-schema';\nimport { e } from 'zod/v4';\n// from 'zod'\nconst f = "from 'zod'";\n`;
    const files = new Map([
        ['config.ts', text],
        ['tools.ts', text],
        ['other.ts', 'export {};']
    ]);
    expect([...zod3Files({ files, schemaFiles: new Set(['tools.ts']) })]).toEqual([
        [
            'config.ts',
            `import { z } from 'zod/v3';\nexport * from "zod/v3";\nconst a = require('zod/v3');\nconst b = await import('zod/v3');\nlet c: import('zod/v3').ZodType;\nimport { d } from 'zod-to-json-schema';\nimport { e } from 'zod/v4';\n// from 'zod'\nconst f = "from 'zod'";\n`
        ]
    ]);
});

it.each([
    ['^3.23.8', 3],
    ['3.x', 3],
    ['~3.25', 3],
    ['>=3 <4', 3],
    ['^4.1.0', 4],
    ['^3.25 || ^4.0', 4],
    ['>=3.20', 4],
    ['*', 4],
    ['workspace:*', 4]
])('a project that declares zod %s is on major %i', (range, major) => {
    expect(zodMajorOf(range)).toBe(major);
});

it('the zod of a file is that of its own package, and is raised where the package comes to SDK v2', () => {
    const v1 = `import { Client } from '@modelcontextprotocol/sdk/client/index.js';`;
    const manifests: Record<string, string> = {
        '/w': '{ "devDependencies": { "zod": "^3.23.0" } }',
        '/w/old': '{ "dependencies": { "zod": "^3.25.0", "@modelcontextprotocol/sdk": "^1.20.0" } }',
        '/w/new': '{ "dependencies": { "zod": "^4.2.0", "@modelcontextprotocol/sdk": "^1.20.0" } }',
        '/w/plain': '{ "name": "plain" }'
    };
    const files = new Map([
        ['/w/old/client.ts', v1],
        ['/w/old/src/config.ts', ''],
        ['/w/new/client.ts', v1],
        ['/w/new/src/schema.ts', ''],
        ['/w/plain/config.ts', '']
    ]);
    const { zod3, raised } = zodVersions(files, folder => manifests[folder]);
    expect([...zod3]).toEqual(['/w/old/client.ts', '/w/old/src/config.ts', '/w/plain/config.ts']);
    expect([...raised]).toEqual(['/w/old/client.ts', '/w/old/src/config.ts']);
});
