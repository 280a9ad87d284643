import { Node, SyntaxKind } from 'ts-morph';
import type { CallExpression } from 'ts-morph';
import { READING_NAME, REMOTE_WRITE } from '../../facts/effects.js';
import type { Effect } from '../effects.js';
import { isAwaited } from '../outsideCalls.js';
import { calledFunction } from '../functionValues.js';
import {
    calleeName,
    enclosingFunction,
    memberObject,
    objectLiteralOf,
    propertyValue,
    stringValue,
    unwrap
} from '../syntax.js';

/**
 * What an effect is to the lint. The migration is careful and takes everything unknown that is awaited for an effect; a
 * lint that did so would not be read. So here only what is known by its module, or plainly called a write, is one.
 */
export type Deed = 'write' | 'state' | 'timer' | 'volatile';

export function deedOf(effect: Effect): Deed | undefined {
    const origin = effect.origin ?? effect.node;
    const what = effect.what.replace(/^.* → /, '');
    switch (effect.kind) {
        case 'timer':
            return staysBehind(effect) ? 'timer' : undefined;
        case 'volatile':
            return isOwnValue(effect) ? 'volatile' : undefined;
        case 'read':
        case 'notification':
            return undefined;
        case 'effect':
            if (what.endsWith('outlives the call'))
                return accumulates(origin) && !isTally(effect) ? 'state' : undefined;
            return writes(origin, what) && !isByTheWay(effect, what) ? 'write' : undefined;
    }
}

/** A timer of a helper is stopped by it, as far as can be seen; an interval that it starts for its caller is not. */
function staysBehind({ node, origin = node }: Effect): boolean {
    if (Node.isCallExpression(origin) && calleeName(origin)?.startsWith('clear') === true) return false;
    if (origin === node) return true;
    const helper = enclosingFunction(origin);
    return (
        Node.isCallExpression(origin) &&
        calleeName(origin) === 'setInterval' &&
        helper?.getText().includes('clearInterval') !== true
    );
}

/** The value of the place itself, or of a helper that returns it: what a helper does with it inside is its own. */
function isOwnValue({ node, origin = node }: Effect): boolean {
    if (origin === node) return true;
    const helper = Node.isCallExpression(node) ? calledFunction(node) : undefined;
    if (helper === undefined || enclosingFunction(origin) !== helper) return false;
    for (let at = origin.getParent(); at !== undefined && at !== helper; at = at.getParent()) {
        if (Node.isReturnStatement(at)) return true;
        if (Node.isStatement(at) || Node.isPropertyAssignment(at) || Node.isIfStatement(at)) return false;
    }
    return true;
}

/** What is counted for its own sake: statistics, retries under way, sizes of what was read. */
const TALLY =
    /stat|metric|active|pending|inflight|hits|miss|total|telemetry|usage|std(?:err|out)|buf|bytes|chunk|history|trace|attempt|retr|calls|requests|depth|size|length/i;

/**
 * Whether a change is one that nobody would call a change: a tally, which helpers keep by the way; one far down, of which it
 * is not known how long what it changes lives; or one of a variable of the call itself.
 */
function isTally({ node, origin = node, state, what }: Effect): boolean {
    if (isDeep({ node, origin })) return true;
    if (state !== undefined && isMadeInCall(state, origin, node)) return true;
    return origin !== node && TALLY.test(`${what} ${origin.getText().slice(0, 80)}`);
}

/**
 * Whether a write far down is one that nobody would call the effect of the call: it is only known by its name, or the call
 * is plainly a look (`getConfig()`, `check(grant)`), below which caches are filled and expired entries are marked.
 */
function isByTheWay(effect: Effect, what: string): boolean {
    if (!isDeep(effect)) return false;
    return (
        what.endsWith('by its name') ||
        (Node.isCallExpression(effect.node) && READING_NAME.test(calleeName(effect.node) ?? ''))
    );
}

/** Further down than in the function that is called. */
function isDeep({ node, origin = node }: Pick<Effect, 'node' | 'origin'>): boolean {
    const helper = Node.isCallExpression(node) ? calledFunction(node) : undefined;
    return origin !== node && helper !== undefined && enclosingFunction(origin) !== helper;
}

/** Whether a variable is made anew in each call: in a function that the changed place is in, and the call too. */
function isMadeInCall(state: Node, origin: Node, node: Node): boolean {
    const home = enclosingFunction(state);
    if (home === undefined || Node.isPropertyDeclaration(state) || Node.isPropertySignature(state)) return false;
    if (!origin.getAncestors().some(one => one === home)) return false;
    // In a function around the handler it lives as long as the server; then the place of the effect is in it, too.
    return origin !== node && !node.getAncestors().some(one => one === home);
}

const ADDING: ReadonlySet<string> = new Set(['push', 'unshift', 'pop', 'shift', 'splice', 'append', 'reverse']);

/** Whether doing it twice is another thing than doing it once. */
function accumulates(change: Node): boolean {
    if (Node.isPrefixUnaryExpression(change) || Node.isPostfixUnaryExpression(change)) return true;
    if (Node.isCallExpression(change)) {
        if (ADDING.has(calleeName(change) ?? '')) return true;
        const object = change.getExpression().getFirstDescendant(node => Node.isIdentifier(node));
        return (
            calleeName(change) === 'set' &&
            change
                .getArguments()
                .slice(1)
                .some(value => dependsOn(value, object?.getText()))
        );
    }
    if (!Node.isBinaryExpression(change)) return false;
    const operator = change.getOperatorToken().getText();
    if (operator === '=') return growsFrom(unwrap(change.getRight()), change.getLeft().getText());
    return operator !== '??=' && operator !== '||=' && operator !== '&&=';
}

/** `x = x + 1`, `x = left - 1`, `x = [...x, y]`, `x = x.concat(y)`: what is assigned is more or less than before. */
function growsFrom(value: Node, state: string): boolean {
    if (Node.isBinaryExpression(value))
        return /^[-+*]$/.test(value.getOperatorToken().getText()) && dependsOn(value, state);
    if (Node.isArrayLiteralExpression(value)) {
        return value.getElements().some(one => Node.isSpreadElement(one) && one.getExpression().getText() === state);
    }
    return Node.isCallExpression(value) && value.getExpression().getText() === `${state}.concat`;
}

/** Whether a value is made of what a state was before: `left - 1` where `left` is `free.get(show)`. */
function dependsOn(value: Node, state: string | undefined): boolean {
    if (state === undefined) return false;
    const reads = (node: Node): boolean => new RegExp(`(?<![\\w.])${escaped(state)}(?!\\w)`).test(node.getText());
    if (Node.isObjectLiteralExpression(unwrap(value)) || Node.isNewExpression(unwrap(value))) return false;
    if (reads(value)) return true;
    const names = [value, ...value.getDescendantsOfKind(SyntaxKind.Identifier)].filter(Node.isIdentifier);
    return names.some(name => {
        const declaration = name.getSymbol()?.getDeclarations()[0];
        const initializer = Node.isVariableDeclaration(declaration) ? declaration.getInitializer() : undefined;
        return initializer !== undefined && reads(initializer);
    });
}

const escaped = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');

/** `import { open as fsOpen }`: what a local name stands for. */
function importedName(call: CallExpression): string | undefined {
    const callee = unwrap(call.getExpression());
    const declaration = Node.isIdentifier(callee) ? callee.getSymbol()?.getDeclarations()[0] : undefined;
    return Node.isImportSpecifier(declaration) ? declaration.getName() : undefined;
}

/** Methods of a child process that do nothing to others: it is listened to, or ended by who started it. */
const OF_OWN_CHILD = /^(?:kill|on|once|off|add\w*Listener|remove\w*Listeners?|ref|unref|pipe)$/;

/** Names of `fs` that are neither reads nor changes of what is there. */
const HARMLESS_FS =
    /^(?:createReadStream|close|watch|unwatch|open|mkdir|mkdtemp|ensureDir|promises|constants|fsync|is[A-Z]|on|pipe|to[A-Z]|destroy|end)/;

/** Arguments of a command that only looks. */
const LOOKING_COMMAND =
    /^(?:status|log|list|ls|show|get|version|--version|diff|rev-parse|describe|which|where|cat|info|config|--help|branch|remote|ps|inspect)$/;

function writes(call: Node, what: string): boolean {
    if (!Node.isCallExpression(call)) return false;
    const name = calleeName(call) ?? '';
    if (what.startsWith('fetch(')) return isWritingFetch(call);
    if (what.endsWith('writes files')) return !HARMLESS_FS.test(importedName(call) ?? name);
    if (/of node:child_process acts$/.test(what)) return !OF_OWN_CHILD.test(name) && !looksOnly(call);
    if (!what.endsWith('changes something, by its name')) return false;
    return isTelling(call, name) && isAwaited(call) && !isQuery(call);
}

/** Things whose making is seen by others; a client, a session or a parser that is made is not. */
const MADE =
    /^create(?:$|.*(?:Order|Issue|Comment|Ticket|Payment|Charge|Invoice|User|Record|Row|File|Folder|Event|Task|Branch|Request|Repo|Repository|Page|Document|Post|Account|Table|Snapshot|Draft|Backup))$/;

/** Whether a name says by itself that something is changed for others to see. */
function isTelling(call: CallExpression, name: string): boolean {
    if (!REMOTE_WRITE.test(name)) return false;
    if (name.startsWith('create')) return MADE.test(name);
    if (/^(?:run|exec|execute|record|notify)/.test(name)) {
        return /(?:db|database|pool|conn(?:ection)?|sql|stmt|statement|client|repo(?:sitory)?|prisma|knex)$/i.test(
            memberObject(unwrap(call.getExpression()))?.getText() ?? ''
        );
    }
    return !/(?:Server|Client|Logger|Error|Message|Log|Metric|Telemetry|Span)s?$/.test(name);
}

/** Without a method, or with one that only looks, nothing is changed. */
function isWritingFetch(call: Node): boolean {
    if (!Node.isCallExpression(call)) return false;
    const options = call.getArguments()[1];
    const method = stringValue(propertyValue(objectLiteralOf(options), 'method'));
    return method !== undefined && !/^(?:get|head|options)$/i.test(method);
}

/** A command that is not written out could be any, and most commands of servers look something up. */
function looksOnly(call: Node): boolean {
    if (!Node.isCallExpression(call)) return false;
    const [command] = call.getArguments();
    if (stringValue(command) === undefined) return true;
    return call.getDescendantsOfKind(SyntaxKind.StringLiteral).some(literal =>
        literal
            .getLiteralValue()
            .split(/\s+/)
            .some(word => LOOKING_COMMAND.test(word))
    );
}

/** `db.execute('SELECT …')`. */
function isQuery(call: Node): boolean {
    const [first] = Node.isCallExpression(call) ? call.getArguments() : [];
    return (
        first !== undefined &&
        /^\W*(?:select|with|pragma|explain|show|describe|match|query)\b/i.test(stringValue(first) ?? first.getText())
    );
}
