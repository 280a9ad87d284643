import { spawnSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { builtCli, repoRoot } from './repo.js';
import { suiteProject } from './temporaryProject.js';

describe('npm run demo', () => {
    const temporary = suiteProject({});
    let status: number | null;
    let lines: string[];

    beforeAll(() => {
        builtCli();
        const demo = spawnSync(process.execPath, [join(repoRoot, 'scripts/demo.mjs')], {
            encoding: 'utf8',
            env: { ...process.env, TMPDIR: temporary, TEMP: temporary, TMP: temporary }
        });
        status = demo.status;
        lines = `${demo.stdout}${demo.stderr}`.trimEnd().split('\n');
    });

    it('ends well, and says so', () => {
        expect(status, lines.slice(-30).join('\n')).toBe(0);
        expect(lines).toContain('Everything was as expected.');
    });

    it('shows the rounds of a 2026-07-28 client, with the answer to a page that an error asks for', () => {
        const start = lines.findIndex(line => line.includes('pinned to 2026-07-28'));
        const end = lines.findIndex((line, at) => at > start && line.startsWith('== '));
        const played = lines.slice(start, end).filter(line => /^ {2}[<>] .*(tools\/call|input_required)/.test(line));
        expect(played.map(line => line.replace(/; \d+ characters.*/, ''))).toEqual([
            '  > tools/call trigger-elicitation-request',
            '  < input_required: name (elicitation/create)',
            '  > tools/call trigger-elicitation-request, again, with the answer to name',
            '  > tools/call trigger-sampling-request',
            '  < input_required: completion (sampling/createMessage)',
            '  > tools/call trigger-sampling-request, again, with the answer to completion',
            '  > tools/call get-roots-list',
            '  < input_required: roots (roots/list)',
            '  > tools/call get-roots-list, again, with the answer to roots',
            '  > tools/call trigger-url-elicitation',
            '  < input_required: page (elicitation/create)',
            '  > tools/call trigger-url-elicitation, again, with the answer to page',
            '  > tools/call trigger-url-elicitation',
            '  < input_required: open-url (elicitation/create)',
            '  > tools/call trigger-url-elicitation, again, with the answer to open-url',
            '  < input_required: page (elicitation/create)',
            '  > tools/call trigger-url-elicitation, again, with the answer to page'
        ]);
    });

    it('pushes the same questions to a 2025-era client, before the migration and after it', () => {
        const pushed = lines.filter(line => line.includes('pushed by the server')).map(line => line.trim());
        const once = [
            'elicitation/create',
            'sampling/createMessage',
            'roots/list',
            'elicitation/create',
            'elicitation/create'
        ];
        expect(pushed.slice(-once.length)).toEqual(once.map(method => `< ${method}, pushed by the server`));
        // The published server fetches the roots once, when the handshake is over.
        expect(pushed).toHaveLength(2 * once.length);
    });

    it('leaves nothing behind', () => {
        expect(readdirSync(temporary)).toEqual([]);
    });
});
