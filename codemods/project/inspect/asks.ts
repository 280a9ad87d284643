import { SyntaxKind } from 'ts-morph';
import type { SourceFile, Node } from 'ts-morph';
import type { SiteKind } from '../../report.js';
import { findMentions, isUnproven } from '../mentions.js';
import { findSites } from '../sites.js';
import type { FoundSite } from '../sites.js';
import { isInputRequired, needCall } from './runtimeAsks.js';

/** A place at which a server asks its client, in any of the ways there are. */
export interface Ask {
    node: Node;
    /**
     * `push`: sends a request (SDK v1, and v2 in its old way). `need`: through the runtime of this package. `result`: the
     * question is returned, `inputRequired(…)` of SDK v2.
     */
    style: 'push' | 'need' | 'result';
    kind: SiteKind;
    /** The callee as written. */
    api: string;
    /** The key of a `need`, when it is the same in every call. */
    key?: string;
    /** What is known of a push call. */
    site?: FoundSite;
}

/** Words of which a file has one when a push call can stand in it, whatever the names of its methods come from. */
const PUSHING =
    /[eE]licit|createMessage|requestSampling|samplingRequest|listRoots|getRoots|refreshRoots|sampling\/|roots\/list|sendRequest|\.(?:request|send|sample|message)\s*\(|UrlElicitationRequiredError/;

/** All asks of a file in order; look-alikes among the push calls are with them, as `site.ownership` says. */
export function findAsks(file: SourceFile): Ask[] {
    const text = file.getFullText();
    const found: Ask[] = [];
    if (PUSHING.test(text)) {
        const sites = findSites(file);
        for (const site of [...sites.map(proven), ...findMentions(file, sites)]) {
            found.push({ node: site.node, style: 'push', kind: site.kind, api: site.api, site });
        }
    }
    if (/\bneed\s*\(|\binputRequired\s*\(/.test(text)) {
        for (const node of file.getDescendantsOfKind(SyntaxKind.CallExpression)) {
            const need = needCall(node);
            const api = node.getExpression().getText().replace(/\s+/g, '');
            if (need !== undefined) {
                found.push({
                    node,
                    style: 'need',
                    kind: need.kind,
                    api,
                    ...(need.key === undefined ? {} : { key: need.key })
                });
            } else if (isInputRequired(node)) found.push({ node, style: 'result', kind: 'elicit', api });
        }
    }
    return found.sort((a, b) => a.node.getStart() - b.node.getStart());
}

/** What may be a push call is one for the lint, too: the migration leaves a comment at it. */
const proven = (site: FoundSite): FoundSite => (isUnproven(site) ? { ...site, ownership: { kind: 'name' } } : site);

/** Whether an ask waits for an answer, and is no signal, no mere name of a method, and nobody else's. */
export function waits({ kind, site, style }: Ask): boolean {
    if (style !== 'push') return true;
    return (
        kind !== 'complete' &&
        kind !== 'urlRequired' &&
        site?.form !== 'reference' &&
        site?.form !== 'mention' &&
        site?.ownership.kind !== 'foreign'
    );
}
