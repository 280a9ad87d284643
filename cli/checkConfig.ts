import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import type { CheckConfig } from '../codemods/check/config.js';
import { UsageError } from './usageError.js';

/**
 * The configuration for a folder: the file that was named, else `mcp-mrtr.config.json`, else `"mcp-mrtr"` in package.json.
 * Paths in it are made relative to the folder.
 *
 * @throws ConfigError, UsageError for a file that is not there
 */
export async function loadCheckConfig(cwd: string, named: string | undefined): Promise<CheckConfig> {
    // Loaded late, because it brings TypeScript, and `--help` does without.
    const { parseConfig } = await import('../codemods/check/config.js');
    if (named !== undefined) {
        const path = resolve(cwd, named);
        if (!existsSync(path)) throw new UsageError(`--config ${named}: there is no such file.`);
        return within(cwd, path, parseConfig(named, readFileSync(path, 'utf8')) ?? {});
    }
    const own = join(cwd, 'mcp-mrtr.config.json');
    if (existsSync(own)) return parseConfig('mcp-mrtr.config.json', readFileSync(own, 'utf8')) ?? {};
    const manifest = join(cwd, 'package.json');
    const text = existsSync(manifest) ? readFileSync(manifest, 'utf8') : '';
    // A package.json that is not ours to judge is looked into only where it speaks of us.
    return /"mcp-mrtr"\s*:\s*\{/.test(text) ? (parseConfig('package.json', text, ['mcp-mrtr']) ?? {}) : {};
}

function within(cwd: string, path: string, config: CheckConfig): CheckConfig {
    const moved = (one: string): string => relative(cwd, join(dirname(path), one)).replace(/\\/g, '/');
    return {
        ...config,
        ...(config.baseline === undefined ? {} : { baseline: moved(config.baseline) }),
        ...(config.ignore === undefined
            ? {}
            : { ignore: config.ignore.map(glob => (glob.includes('/') ? moved(glob) : glob)) })
    };
}
