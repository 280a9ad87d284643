import { upgradeSdk } from '../../../codemods/upgrade/upgradeSdk.js';

/** One file through the upgrade: its text after, and what was said about it. */
export function upgradeText(text: string, name = '/p/server.ts') {
    const { files, diagnostics } = upgradeSdk({ files: new Map([[name, text]]) });
    return { text: files.get(name) ?? '', diagnostics };
}

export function lines(...all: string[]): string {
    return all.map(line => line + '\n').join('');
}
