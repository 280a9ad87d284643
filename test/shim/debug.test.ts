import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

import { describe, expect, it } from 'vitest';

const player = fileURLToPath(new URL('debug/play.ts', import.meta.url));

/** Runs a server in a process of its own, with this setting. */
async function play(setting: string): Promise<{ pid: number; stdout: string; stderr: string }> {
    const running = promisify(execFile)(process.execPath, ['--import', 'tsx', player], {
        env: { ...process.env, MCP_MRTR_DEBUG: setting }
    });
    return { pid: running.child.pid!, ...(await running) };
}

describe.concurrent('MCP_MRTR_DEBUG', () => {
    it('tells on stderr what happens, and no answers', async () => {
        const { pid, stdout, stderr } = await play('1');
        expect(stdout).toBe('played');
        expect(
            stderr
                .replaceAll(/\d+ bytes/g, 'n bytes')
                .replaceAll(`MCP-MRTR ${pid}: `, '')
                .split('\n')
        ).toEqual([
            'tools/call "script": round 1 asks "password" (state of n bytes)',
            'tools/call "script": round 1 answers "password" (state of n bytes)',
            `"Tool 'script'": the answer to "password" is refused`,
            'tools/call "script": round 2 asks "password" (state of n bytes)',
            'tools/call "script": round 2 answers "password" (state of n bytes)',
            'tools/call "script": round 3 asks "code\\nMCP-MRTR 1: forged" (state of n bytes)',
            'tools/call "script": round 3 answers "code\\nMCP-MRTR 1: forged" (state of n bytes)',
            'tools/call "script": the retry is refused, malformed',
            ''
        ]);
        expect(stderr).not.toContain('secret');
        expect(stderr).toMatch(/^(MCP-MRTR \d+: .*\n)*$/);
    });

    it('says nothing if it is 0', async () => {
        expect(await play('0')).toMatchObject({ stdout: 'played', stderr: '' });
    });
});
