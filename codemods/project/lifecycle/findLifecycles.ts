import { relative } from 'node:path';
import type { Node, Project } from 'ts-morph';
import type { AnchoredSite } from '../analysis.js';
import { anchoredNodes } from '../anchors.js';
import { findRegistrations } from '../handlers.js';
import { placeOf } from '../places.js';
import type { PlacesHome } from '../places.js';
import { Reach } from '../reach.js';
import type { Reached } from '../reach.js';
import { isTestFile } from '../syntax.js';
import { NotChangeable } from './change.js';
import type { LifecycleChange } from './change.js';
import { findHooks } from './hooks.js';
import { lateRegistration } from './lateRegistration.js';
import { rootsLifecycle } from './rootsLifecycle.js';

export interface Lifecycles {
    changes: LifecycleChange[];
    /** Why a hook that asks stays as it is, by site. */
    left: Map<string, string>;
}

interface Home extends PlacesHome {
    packageOf: (path: string) => string;
}

/** One kind of change is looked for at a time: the text that the first leaves is what the second reads. */
export const LIFECYCLE_RULES = ['late-registration', 'roots-lifecycle'] as const;

/** What the packages of a project do when the handshake is over and has to become part of requests. */
export function findLifecycles(
    project: Project,
    home: Home,
    sites: readonly AnchoredSite[],
    rule: (typeof LIFECYCLE_RULES)[number],
    group: string
): Lifecycles {
    const { root, packageOf } = home;
    const found: Lifecycles = { changes: [], left: new Map() };
    const shortPath = (path: string): string => relative(root, path).replace(/\\/g, '/');
    const files = project
        .getSourceFiles()
        .filter(
            file => !file.isInNodeModules() && !file.isDeclarationFile() && !isTestFile(shortPath(file.getFilePath()))
        );
    const hooks = files.flatMap(findHooks);
    if (hooks.length === 0) return found;
    const place = (node: Node): string => placeOf(node, home);
    const registrations = files.flatMap(findRegistrations);
    const reach = new Reach({ registrations, isTest: path => isTestFile(shortPath(path)), place });
    const nodes = new Map(files.flatMap(file => [...anchoredNodes(file)]));
    for (const owner of new Set(hooks.map(({ statement }) => packageOf(statement.getSourceFile().getFilePath())))) {
        const isOwn = (node: Node): boolean => packageOf(node.getSourceFile().getFilePath()) === owner;
        const asks = new Map(
            sites.flatMap(({ id, kind }) => {
                const node = nodes.get(id);
                const wanted = rule === 'late-registration' || kind === 'roots';
                return wanted && node !== undefined && isOwn(node) ? [[id, node] as const] : [];
            })
        );
        const own = hooks.filter(({ statement }) => isOwn(statement));
        const ownRegistrations = registrations.filter(({ call }) => isOwn(call));
        const handlers = ownRegistrations
            .filter(({ interruptible }) => interruptible)
            .flatMap(({ fn }) => providerOf(reach, fn?.getBody()));
        const attempt = (change: () => LifecycleChange | undefined, what: string): void => {
            try {
                const made = change();
                if (made !== undefined) found.changes.push({ ...made, id: `${rule} ${owner}` });
            } catch (error) {
                if (!(error instanceof NotChangeable)) throw error;
                const where = error.node === undefined ? '' : ` (${place(error.node)})`;
                for (const id of asks.keys()) found.left.set(id, `${what}: ${error.message}${where}`);
            }
        };
        if (rule === 'roots-lifecycle') {
            const input = { hooks: own, asks, reach, handlers, place, group };
            attempt(() => rootsLifecycle(input), 'the roots cannot be asked for lazily');
            continue;
        }
        for (const hook of own.filter(({ event }) => event === 'initialized')) {
            const input = { hook, registrations: ownRegistrations, asks, group };
            attempt(() => lateRegistration(input), 'what is registered after the handshake stays there');
        }
    }
    return found;
}

function providerOf(reach: Reach, body: Node | undefined): Reached[] {
    const provider = body === undefined ? undefined : reach.provider(body);
    return provider === undefined || typeof provider === 'string' ? [] : [provider];
}
