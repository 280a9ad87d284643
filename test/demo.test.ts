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

    it('shows the rounds of a 2026-07-28 client, then what is pushed to a 2025-era one', () => {
        const played = lines.filter(line => /^ {2}[<>] .*(tools\/call|input_required|pushed|subscribe)/.test(line));
        expect(played.map(line => line.replace(/: .*|, with the answer.*/, ''))).toEqual([
            '  > tools/call startElicitation',
            '  < input_required',
            '  > tools/call startElicitation, again',
            '  > tools/call sampleLLM',
            '  < input_required',
            '  > tools/call sampleLLM, again',
            '  > tools/call startElicitation',
            '  < elicitation/create, pushed by the server',
            '  > tools/call sampleLLM',
            '  < sampling/createMessage, pushed by the server',
            '  > resources/subscribe test://static/resource/1',
            '  < sampling/createMessage, pushed by the server'
        ]);
    });

    it('leaves nothing behind', () => {
        expect(readdirSync(temporary)).toEqual([]);
    });
});
