import { createRequire } from 'node:module';

/** The package's own manifest, found by name: `dist/cli` and `cli` lie at different depths. */
export function packageVersion(): string {
    const manifest = createRequire(import.meta.url)('mcp-mrtr/package.json') as { version: string };
    return manifest.version;
}
