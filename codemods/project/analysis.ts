import { relative } from 'node:path';
import { Node } from 'ts-morph';
import type { Project, SourceFile } from 'ts-morph';
import type {
    AliasFact,
    AmbientFact,
    CallFact,
    ContextParameter,
    EntryFact,
    Facts,
    FunctionFact,
    GuardFact,
    HandlerFact,
    Hazard,
    HttpEntryFact,
    ModuleFact,
    ServerFact,
    SiteFact
} from '../facts/facts.js';
import { concernsAny } from '../files/concerns.js';
import type { SiteKind } from '../report.js';
import { callsThrough, holderOf } from './aliases.js';
import { ambientOf, mayRunInRequest } from './ambient.js';
import { anchoredNodes } from './anchors.js';
import { completionStatements } from './completions.js';
import {
    contextArgument,
    handlerParameter,
    helperParameter,
    placements,
    resultTypeEdit,
    spanOf
} from './contextParameters.js';
import type { Placement } from './contextParameters.js';
import { capabilityReads, guardFact, isKept } from './guards.js';
import { findRegistrations } from './handlers.js';
import type { Registration } from './handlers.js';
import { Hazards } from './hazards.js';
import { constantOfTasks, onlyInTasks } from './lifecycle/tasks.js';
import { moduleFact } from './modules.js';
import { findHttpEntries } from './httpEntries.js';
import { shortText } from './outsideCalls.js';
import { pageIdOf, propertySpan } from './pageIds.js';
import { keptInFactory, sessionReads } from './perSession.js';
import { placeOf } from './places.js';
import { Programs } from './programs.js';
import { Reach } from './reach.js';
import type { Reached } from './reach.js';
import { keyHintsOf, optionsOf, paramsNode, requestOf, sendNameOf } from './requests.js';
import { findServers, findStdioEntries } from './servers.js';
import { startsBesideOthers } from './settling.js';
import { ruleFor } from './sites.js';
import type { SiteForm } from './sites.js';
import { mayBeSwallowed, shareRun } from './subjects.js';
import type { Subject } from './subjects.js';
import { isTestFile, memberName, unwrap } from './syntax.js';

/** What the scan of the original text knows about a site. */
export interface AnchoredSite {
    id: string;
    file: string;
    kind: SiteKind;
    form: SiteForm;
    api: string;
    /** Whose it is, or what is done with it, is not known: its entry stays. */
    unread?: true;
}

/** A site as the planner first sees it: what speaks against it, and what belongs together. */
export interface Candidate {
    fact: SiteFact;
    handlers: { label: string; interruptible: boolean }[];
    /** For a method that is passed on: the sites that call it in the end. It is rewritten when all of them are. */
    dissolvesInto?: string[];
    /** Nothing is left to do, and why. */
    done?: string;
    /** Sites that run before or after this one in the same run of a handler. */
    related: Set<string>;
}

export interface Home {
    root: string;
    packageOf: (path: string) => string;
    /** Name of each package of the project → its folder. */
    workspace?: ReadonlyMap<string, string>;
    /** Text of a file that is not among those that are migrated. */
    readFile?: (path: string) => string | undefined;
    /** Not everything was asked for: what is beside may be part of the same programs. */
    partial?: boolean;
    /** The line of the text as it was given, for a line of a text that was made of it. */
    lineBefore?: (path: string, text: string, line: number) => number;
}

/**
 * Reads the upgraded project. First `candidates()` says what is known of each site; the planner picks; then `facts()`
 * says what has to be edited for exactly those.
 */
export class Analysis {
    private readonly files: SourceFile[];
    /** The files whose code is migrated: not tests. */
    private readonly own: SourceFile[];
    private readonly reach: Reach;
    private readonly programs: Programs;
    private readonly hazards: Hazards;
    private readonly subjects: Subject[];
    private readonly guards: Subject[];
    private readonly registrations: readonly Registration[];
    private leading: ReadonlySet<Node> | undefined;
    private ofSession: Subject[] | undefined;
    private servers: ServerFact[] | undefined;
    private entries: SourceFile[] | undefined;
    private readonly modules = new Map<SourceFile, ModuleFact>();

    constructor(
        project: Project,
        private readonly home: Home,
        private readonly sites: readonly AnchoredSite[]
    ) {
        this.files = project.getSourceFiles().filter(file => !file.isInNodeModules() && !file.isDeclarationFile());
        this.own = this.files.filter(file => !this.isTest(file.getFilePath()));
        this.programs = new Programs(this.own, home);
        this.registrations = this.own.flatMap(findRegistrations);
        this.reach = new Reach({
            registrations: this.registrations,
            isTest: path => this.isTest(path),
            place: node => this.place(node)
        });
        const nodes = new Map(this.files.flatMap(file => [...anchoredNodes(file)]));
        const asks = new Set(nodes.values());
        this.hazards = new Hazards(
            this.reach,
            call => asks.has(call),
            fn => this.leadingToAsks().has(fn),
            node => this.place(node)
        );
        this.subjects = sites.flatMap(({ id }) => {
            const node = nodes.get(id);
            return node === undefined ? [] : [{ id, node, provider: this.reach.provider(node) }];
        });
        const reads = this.own.flatMap(capabilityReads).filter(node => !constantOfTasks(node));
        this.guards = reads.map((node, index) => ({
            id: `g${index + 1}`,
            node,
            provider: this.reach.provider(node)
        }));
    }

    private place(node: Node): string {
        return placeOf(node, this.home);
    }

    private isTest(path: string): boolean {
        return isTestFile(relative(this.home.root, path).replace(/\\/g, '/'));
    }

    /** The functions on the ways from handlers to asks. */
    private leadingToAsks(): ReadonlySet<Node> {
        this.leading ??= new Set(this.functionsAbove(this.subjects).map(({ fn }) => fn));
        return this.leading;
    }

    candidates(): Candidate[] {
        return this.sites.map(site => this.candidate(site));
    }

    private candidate(site: AnchoredSite): Candidate {
        const subject = this.subjects.find(({ id }) => id === site.id);
        const { id, file, kind, form, api } = site;
        const bare: SiteFact = {
            id,
            file,
            kind,
            rule: ruleFor(kind, form),
            api,
            call: subject === undefined ? { start: 0, end: 0 } : spanOf(subject.node),
            request: undefined,
            droppedOptions: [],
            keyHints: { properties: [] },
            hazards: [],
            statement: subject === undefined ? 0 : statementOffset(subject.node)
        };
        if (subject === undefined) {
            bare.hazards.push({ level: 'manual', message: 'the SDK upgrade rewrote the code around it' });
            return { fact: bare, handlers: [], related: new Set() };
        }
        if (form === 'reference') {
            return { fact: bare, handlers: [], related: new Set(), dissolvesInto: this.callersOf(subject.node) };
        }
        const { node, provider } = subject;
        if (form === 'mention') {
            // `extra.sendRequest` of a context that the SDK upgrade knew is `ctx.mcpReq.send` by now.
            const done = site.api.endsWith('sendRequest') && memberName(node) !== 'sendRequest';
            return {
                fact: bare,
                handlers: this.handlersOf(provider),
                related: this.relatedTo(subject),
                ...(done ? { done: 'the SDK upgrade rewrote it' } : {})
            };
        }
        const ambient = this.ambientOf(subject, site);
        const sendName = Node.isCallExpression(node) ? sendNameOf(node) : undefined;
        if (sendName !== undefined) bare.sendName = sendName;
        if (kind === 'urlRequired') return this.thrown(bare, provider);
        if (kind === 'complete') return completion(bare, node);
        const call = Node.isCallExpression(node) ? node : undefined;
        const pageId = form === 'push' ? pageIdOf(node) : undefined;
        const fact: SiteFact = {
            ...bare,
            request: call === undefined ? undefined : requestOf(call, form, kind),
            droppedOptions: call === undefined ? [] : optionsOf(call, form),
            keyHints: keyHintsOf(node, call === undefined ? undefined : paramsNode(call, form)),
            hazards: this.hazardsOf(subject),
            ...(ambient === undefined ? {} : { ambient }),
            ...(pageId === undefined ? {} : { pageId: propertySpan(pageId) }),
            ...(typeof provider === 'string'
                ? {}
                : { context: provider.id, settles: startsBesideOthers(node, provider) })
        };
        return { fact, handlers: this.handlersOf(provider), related: this.relatedTo(subject) };
    }

    private relatedTo(subject: Subject): Set<string> {
        const related = this.subjects.filter(
            other =>
                other !== subject &&
                !this.isReference(other.id) &&
                this.kindOf(other.id) !== 'complete' &&
                shareRun(this.reach, subject, other)
        );
        return new Set(related.map(other => other.id));
    }

    /**
     * A thrown `UrlElicitationRequiredError` needs no context: `resumable` around the handler makes a round of pages of it
     * and starts the handler again, as the client did in 2025. So nothing that ran before it matters either.
     */
    private thrown(fact: SiteFact, provider: Reached | string): Candidate {
        const handlers = this.handlersOf(provider);
        const hazards: Hazard[] =
            typeof provider === 'string'
                ? [{ level: 'manual', message: provider }]
                : handlers.length === 0
                  ? [{ level: 'manual', message: 'no handler of this project leads to it, as far as the code shows' }]
                  : [];
        const wrapped =
            typeof provider !== 'string' &&
            handlers.length > 0 &&
            this.reach.handlersOf(provider).every(({ registrations }) => registrations.every(one => one.wrapped));
        return {
            fact: { ...fact, request: { form: 'none' }, hazards },
            handlers,
            related: new Set(),
            ...(wrapped ? { done: 'its handlers are resumable' } : {})
        };
    }

    private handlersOf(provider: Reached | string): Candidate['handlers'] {
        if (typeof provider === 'string') return [];
        return this.reach
            .handlersOf(provider)
            .flatMap(({ registrations }) =>
                registrations.map(({ label, interruptible }) => ({ label, interruptible }))
            );
    }

    /** The sites that call a method which is passed on; empty when one of the calls is not a known site. */
    private callersOf(reference: Node): string[] {
        const calls = callsThrough(reference) ?? [];
        const ids = calls.map(call => this.subjects.find(({ node }) => node === call)?.id);
        return ids.every(id => id !== undefined) ? ids : [];
    }

    private kindOf(id: string): SiteKind | undefined {
        return this.sites.find(site => site.id === id)?.kind;
    }

    private handlersAbove(subjects: readonly Subject[]): Reached[] {
        return subjects.flatMap(({ provider }) =>
            typeof provider === 'string' ? [] : this.reach.handlersOf(provider)
        );
    }

    private isReference(id: string): boolean {
        return this.sites.some(site => site.id === id && site.form === 'reference');
    }

    private hazardsOf(subject: Subject): Hazard[] {
        const { node, provider } = subject;
        if (onlyInTasks(node)) return [{ level: 'manual', message: 'it is asked in a task, and SDK v2 has no tasks' }];
        if (typeof provider === 'string') return [threading(provider), ...this.guardHazards(subject)];
        const found = this.hazards.of(node, provider).map(hazard => this.inPages(hazard, provider));
        found.push(...this.reach.problemsOf(provider).map(threading));
        const handlers = new Set(this.reach.handlersOf(provider));
        const session = this.sessionReads().find(read => this.handlersAbove([read]).some(one => handlers.has(one)));
        if (session !== undefined) {
            const message = `${shortText(session.node)} (${this.place(session.node)}) is undefined in every request of 2026-07-28, which has no sessions`;
            found.push({ level: 'review', message });
        }
        if (this.reach.handlersOf(provider).length === 0) {
            found.push(threading('no handler of this project leads to it, as far as the code shows'));
        }
        const tests = this.functionsAbove([subject]).flatMap(({ name, testCalls: [call] }) =>
            call === undefined ? [] : [threading(`tests call ${name} without a request (${this.place(call)})`)]
        );
        return [...found, ...this.guardHazards(subject), ...tests];
    }

    /** What checks of the client's capabilities have against rewriting a site, in one or two sentences. */
    private guardHazards(site: Subject): Hazard[] {
        const found = this.guards.flatMap(guard => {
            const message = this.guardHazard(guard, site);
            return message === undefined ? [] : [{ message, readable: mayRunInRequest(guard, this.reach) }];
        });
        return [false, true].flatMap(readable => {
            const [first, ...more] = found.filter(one => one.readable === readable);
            if (first === undefined) return [];
            const others = more.length === 0 ? '' : ` (and ${more.length} more like it)`;
            const message = first.message + others;
            return [readable ? threading(message) : { level: 'manual' as const, message }];
        });
    }

    /** A check whose handlers are not known makes all handlers wait in memory, for it has to know the request as well. */
    private ambientOf(subject: Subject, site: AnchoredSite): AmbientFact | undefined {
        const own = ambientOf(subject, this.reach, site);
        if (own === undefined || onlyInTasks(subject.node)) return undefined;
        const servers = this.serversFor(subject.node);
        if (servers.length === 0 && this.entryFiles().some(file => this.inOnePackage(file, subject.node)))
            return undefined;
        const guards = this.guards.filter(
            guard => this.guardHazard(guard, subject) !== undefined && mayRunInRequest(guard, this.reach)
        );
        const closed = guards.every(({ provider }) => typeof provider !== 'string' && this.reach.isClosed(provider));
        return closed ? own : { outside: own.outside, known: false, alsoOutside: own.alsoOutside };
    }

    /** The servers on which code may run: those of its package, else, for a library, of the packages that use it. */
    private serversFor(node: Node): ServerFact[] {
        const servers = (this.servers ??= this.own.flatMap(findServers));
        const { packageOf } = this.home;
        const owner = packageOf(node.getSourceFile().getFilePath());
        const near = servers.filter(({ file }) => packageOf(file) === owner);
        if (near.length > 0) return near;
        const users = this.usersOf(owner);
        return servers.filter(({ file }) => users.has(packageOf(file)));
    }

    /** The packages that import one, and those that import these. */
    private usersOf(owner: string): Set<string> {
        const { packageOf, workspace = new Map<string, string>() } = this.home;
        const names = new Map([...workspace].map(([name, folder]) => [folder, name]));
        const users = new Set([owner]);
        for (const used of users) {
            const name = names.get(used);
            if (name === undefined) continue;
            const imported = [`'${name}'`, `"${name}"`, `'${name}/`, `"${name}/`];
            for (const file of this.own) {
                if (concernsAny(file.getFullText(), imported)) users.add(packageOf(file.getFilePath()));
            }
        }
        return users;
    }

    private entryFiles(): SourceFile[] {
        this.entries ??= this.own.filter(file => findStdioEntries(file).length > 0);
        return this.entries;
    }

    /**
     * A handler that throws for pages starts again from the top after them, and means it: what it remembered of its first
     * start must be what it finds. So nothing of it runs once per call only; it waits in memory.
     */
    private inPages(hazard: Hazard, provider: Reached): Hazard {
        if (hazard.cure !== 'once') return hazard;
        const handlers = new Set(this.reach.handlersOf(provider));
        const thrown = this.subjects.filter(({ id }) => this.kindOf(id) === 'urlRequired');
        const throws = this.handlersAbove(thrown).some(handler => handlers.has(handler));
        return throws ? { ...hazard, cure: 'park' } : hazard;
    }

    /** Why a check of the client's capabilities keeps a site from being rewritten. */
    private guardHazard(guard: Subject, site: Subject): string | undefined {
        const place = this.place(guard.node);
        const { provider } = guard;
        const problem = typeof provider === 'string' ? provider : this.reach.problemsOf(provider)[0];
        const outside = typeof provider === 'string' || this.reach.handlersOf(provider).length === 0;
        if (problem !== undefined && outside && isKept(guard.node) && this.programs.together(guard.node, site.node)) {
            return `whether the client can be asked is decided at ${place}, outside a request, where 2026-07-28 tells nothing`;
        }
        if (problem === undefined || !shareRun(this.reach, guard, site)) return undefined;
        return `the check of the client's capabilities at ${place} cannot be rewritten: ${problem}`;
    }

    private inOnePackage(one: Node, other: Node): boolean {
        const { packageOf } = this.home;
        return packageOf(one.getSourceFile().getFilePath()) === packageOf(other.getSourceFile().getFilePath());
    }

    /**
     * Everything that has to be edited so that the selected sites ask through the context, or, where they are among
     * `ambient`, through the handler that is running.
     */
    facts(
        selected: ReadonlySet<string>,
        ambient: ReadonlySet<string>
    ): { facts: Facts; problems: Map<string, string> } {
        const problems = new Map<string, string>();
        const rewritten = this.subjects.filter(
            ({ id, provider }) =>
                selected.has(id) && (typeof provider !== 'string' || ambient.has(id)) && !this.isReference(id)
        );
        const contextless = rewritten.filter(({ id }) => ambient.has(id));
        const thrown = rewritten.filter(({ id }) => this.kindOf(id) === 'urlRequired');
        const completions = this.subjects.filter(({ id }) => selected.has(id) && this.kindOf(id) === 'complete');
        const chosen = rewritten.filter(
            subject => !thrown.includes(subject) && !completions.includes(subject) && !contextless.includes(subject)
        );
        // Where an ask stays as it is, the check in front of it must go on telling the truth all the more.
        const threadable = this.subjects.length === 0 ? [] : this.guards.filter(guard => this.isThreadable(guard));
        const unthreaded = new Set<Subject>();
        let functions: Reached[] = [];
        let functionFacts: FunctionFact[] = [];
        for (let again = true; again;) {
            again = false;
            const guards = threadable.filter(guard => !unthreaded.has(guard));
            functions = this.functionsAbove([...chosen, ...guards]);
            const migrated = new Set<Node>(chosen.map(({ node }) => node));
            const placed = placements(functions, call => migrated.has(call));
            functionFacts = [];
            for (const reached of functions) {
                const fact = this.functionFact(reached, functions, placed, migrated);
                if (typeof fact !== 'string') {
                    functionFacts.push(fact);
                    continue;
                }
                for (const site of chosen) {
                    if (this.functionsAbove([site]).includes(reached))
                        problems.set(site.id, `${reached.name}: ${fact}`);
                }
                for (const guard of guards) {
                    if (!this.functionsAbove([guard]).includes(reached)) continue;
                    unthreaded.add(guard);
                    again = true;
                }
            }
        }
        const asking = this.sites
            .filter(({ id }) => chosen.some(one => one.id === id) || ambient.has(id))
            .map(site => this.candidate(site).fact)
            .map(({ ambient: way, ...fact }): SiteFact => {
                return ambient.has(fact.id) && way !== undefined ? { ...fact, ambient: way } : fact;
            });
        const open = contextless.filter(({ id }) => asking.find(site => site.id === id)?.ambient?.known === false);
        const parking = new Set(open.flatMap(({ node }) => this.serversFor(node)));
        const threaded = threadable.filter(guard => !unthreaded.has(guard));
        // Reading the request that runs is never wrong: outside of one it is the server that is read, as before.
        const reading = this.guards.filter(
            guard =>
                !threaded.includes(guard) &&
                mayRunInRequest(guard, this.reach) &&
                contextless.some(site => this.inOnePackage(site.node, guard.node) || shareRun(this.reach, guard, site))
        );
        const guards = [...threaded, ...reading];
        const entries = this.own.flatMap(file =>
            findStdioEntries(file).map(entry => {
                const blocked = this.blockedBy(file, guards, new Set(rewritten), selected);
                return blocked === undefined ? entry : { ...entry, blocked };
            })
        );
        const facts: Facts = {
            sites: asking,
            onces: [],
            guards: [
                ...threaded.map(guardFact),
                ...reading.map((guard): GuardFact => ({ ...guardFact(guard), ambient: true }))
            ],
            functions: functionFacts,
            handlers: [
                ...new Set([...functions, ...this.handlersAbove([...thrown, ...contextless, ...reading])])
            ].flatMap(handlerFacts),
            aliases: this.aliasFacts(selected),
            completions: completions.flatMap(({ node }) =>
                (completionStatements(node) ?? []).map(statement => ({
                    file: node.getSourceFile().getFilePath(),
                    statement
                }))
            ),
            servers: this.own
                .flatMap(findServers)
                .map(server =>
                    [...parking].some(one => isSameServer(one, server)) ? { ...server, parks: true as const } : server
                ),
            entries,
            httpEntries: this.own.flatMap(file =>
                this.httpEntriesOf(file, entries, this.blockedBy(file, guards, new Set(rewritten), selected))
            ),
            modules: []
        };
        return { facts: { ...facts, modules: this.modulesOf(facts) }, problems };
    }

    /** Of the files that the facts are about; no edit can be made in another one. */
    private modulesOf(facts: Facts): ModuleFact[] {
        const { sites, guards, functions, handlers, aliases, completions, servers, entries, httpEntries } = facts;
        const calls = functions.flatMap(one => one.calls);
        const touched = new Set(
            [sites, guards, functions, calls, handlers, aliases, completions, servers, entries, httpEntries]
                .flat()
                .map(({ file }) => file)
        );
        return this.files
            .filter(file => touched.has(file.getFilePath()))
            .map(file => {
                const known = this.modules.get(file) ?? moduleFact(file);
                this.modules.set(file, known);
                return known;
            });
    }

    private isThreadable({ provider }: Subject): boolean {
        if (typeof provider === 'string' || this.reach.problemsOf(provider).length > 0) return false;
        return (
            this.reach.handlersOf(provider).length > 0 &&
            !this.functionsAbove([{ id: '', node: provider.fn, provider }]).some(
                ({ testCalls }) => testCalls.length > 0
            )
        );
    }

    private httpEntriesOf(
        file: SourceFile,
        entries: readonly EntryFact[],
        blocked: string | undefined
    ): HttpEntryFact[] {
        const own = entries.filter(entry => entry.file === file.getFilePath());
        const stdio = new Set(own.map(({ connect }) => connect));
        return findHttpEntries(file, stdio).map(entry => {
            if (entry.left !== undefined) return entry;
            const left = blocked ?? this.keptForSessions(file);
            return left === undefined ? entry : { ...entry, left };
        });
    }

    /** Why handlers cannot do without the sessions of an entry over HTTP. Over stdio nothing changes: there is one client. */
    private keptForSessions(file: SourceFile): string | undefined {
        const read = this.sessionReads().find(({ node }) => this.programs.together(node, file));
        if (read !== undefined) {
            return `${shortText(read.node)} (${this.place(read.node)}) is undefined in every request of 2026-07-28, so that callers would share what is kept under it; use who calls, or an id that is an argument`;
        }
        const kept = this.registrations
            .filter(({ call }) => this.programs.together(call, file))
            .map(keptInFactory)
            .find(one => one !== undefined);
        if (kept === undefined) return undefined;
        return `what is changed at ${this.place(kept)} is kept by the server of a session, and on 2026-07-28 each request has a server of its own; keep it elsewhere, under who calls or an id that is an argument`;
    }

    private sessionReads(): Subject[] {
        this.ofSession ??= this.own
            .flatMap(sessionReads)
            .map(node => ({ id: '', node, provider: this.reach.provider(node) }))
            .filter(({ node }) => !this.reach.isDetached(node));
        return this.ofSession;
    }

    /**
     * Why the entries of a file stay as they are. A check of the capabilities that cannot be rewritten says "no" on 2026-07-28, and an ask that is
     * left throws there, which a `catch` around it may take for an answer. Code that then goes on without asking must not
     * be served there: better not on the new revision than without the question.
     */
    private blockedBy(
        file: SourceFile,
        guards: readonly Subject[],
        rewritten: ReadonlySet<Subject>,
        selected: ReadonlySet<string>
    ): string | undefined {
        const check = this.guards.find(
            guard => !guards.includes(guard) && this.programs.together(guard.node, file) && this.decidesAboutAsks(guard)
        );
        const ask = this.subjects.find(
            site =>
                !rewritten.has(site) &&
                !this.isReference(site.id) &&
                this.programs.together(site.node, file) &&
                !onlyInTasks(site.node) &&
                (this.isUnread(site.id) || mayBeSwallowed(site, this.reach))
        );
        const passed = this.subjects.find(
            ({ id, node }) =>
                this.isReference(id) &&
                this.programs.together(node, file) &&
                !selected.has(id) &&
                this.callersOf(node).length === 0
        );
        if (check !== undefined) {
            return `the check of the client's capabilities at ${this.place(check.node)} would say "no" on 2026-07-28, and code behind it goes on without asking`;
        }
        if (passed !== undefined) {
            return `where the method is called that is passed on at ${this.place(passed.node)} is not known, and a failure on 2026-07-28 may be taken for an answer`;
        }
        if (ask !== undefined && this.isUnread(ask.id)) {
            return `what is done at ${this.place(ask.node)} is not known, and on 2026-07-28 code may go on there without asking`;
        }
        const beside = this.home.partial === true ? this.programs.notMigratedWith(file) : undefined;
        if (ask === undefined && beside !== undefined) {
            return `${relative(this.home.root, beside).replace(/\\/g, '/')}, which may run in it, asks or checks whether it may, and was not among what was to be migrated`;
        }
        return ask === undefined
            ? undefined
            : `the ask at ${this.place(ask.node)} is left and would fail on 2026-07-28, and a catch around it may take the failure for an answer`;
    }

    /** Whose the call is, or what is done with the method, is not known. */
    private isUnread(id: string): boolean {
        return this.sites.some(site => site.id === id && site.unread === true);
    }

    private decidesAboutAsks(guard: Subject): boolean {
        const { provider, node } = guard;
        const outside = typeof provider === 'string' || this.reach.handlersOf(provider).length === 0;
        if (outside) {
            const known = this.reach.isDetached(node) || (typeof provider !== 'string' && provider.problems.length > 0);
            return (!known || isKept(node)) && this.subjects.some(site => this.programs.together(site.node, node));
        }
        return this.subjects.some(site => shareRun(this.reach, guard, site));
    }

    /** Declarations of aliases all of whose calls are rewritten. */
    private aliasFacts(selected: ReadonlySet<string>): AliasFact[] {
        return this.subjects.flatMap(({ id, node }) => {
            const holder = selected.has(id) && this.isReference(id) ? holderOf(node) : undefined;
            const statement = Node.isVariableDeclaration(holder) ? holder.getVariableStatement() : undefined;
            if (statement?.getDeclarations().length !== 1) return [];
            return [{ file: statement.getSourceFile().getFilePath(), statement: spanOf(statement) }];
        });
    }

    private functionFact(
        reached: Reached,
        functions: readonly Reached[],
        placed: Map<Reached, Placement>,
        migrated: ReadonlySet<Node>
    ): FunctionFact | string {
        const { id, fn, name } = reached;
        const placement = placed.get(reached);
        const parameter = this.parameterOf(reached, placement, migrated);
        if (typeof parameter === 'string') return parameter;
        const calls: CallFact[] = [];
        for (const { call, caller } of reached.calls) {
            if (!functions.includes(caller)) continue;
            const argument = placement === undefined ? NOT_CALLED : contextArgument(call, placement);
            if (typeof argument === 'string') return argument;
            calls.push({ file: call.getSourceFile().getFilePath(), caller: caller.id, argument });
        }
        const handlers = this.reach.handlersOf(reached).map(one => one.id);
        const result = resultTypeEdit(fn);
        return {
            id,
            file: fn.getSourceFile().getFilePath(),
            name,
            parameter,
            calls,
            handlers,
            ...(result === undefined || parameter.form !== 'insert' ? {} : { result })
        };
    }

    private parameterOf(
        { fn, registrations }: Reached,
        placement: Placement | undefined,
        migrated: ReadonlySet<Node>
    ): ContextParameter | string {
        const [first, ...others] = registrations;
        if (first === undefined) return placement === undefined ? NOT_CALLED : helperParameter(fn, placement);
        if (others.some(({ contextIndex }) => contextIndex !== first.contextIndex)) {
            return 'it is registered for requests that give it the context in different places';
        }
        return handlerParameter(fn, first.contextIndex, unwrap(first.callback) === fn, call => migrated.has(call));
    }

    /** The functions that must take a context so that the subjects get one. */
    private functionsAbove(subjects: readonly Subject[]): Reached[] {
        const seen = new Set<Reached>();
        const open = subjects.flatMap(({ provider }) => (typeof provider === 'string' ? [] : [provider]));
        for (let next = open.pop(); next !== undefined; next = open.pop()) {
            if (seen.has(next)) continue;
            seen.add(next);
            open.push(...next.calls.map(({ caller }) => caller));
        }
        return [...seen];
    }
}

const threading = (message: string): Hazard => ({ level: 'manual', message, threading: true });

const isSameServer = (one: ServerFact, other: ServerFact): boolean =>
    one.file === other.file && one.construction.start === other.construction.start;

/** A notification of which 2026-07-28 knows nothing: it goes where nothing else depends on it. */
function completion(fact: SiteFact, node: Node): Candidate {
    if (completionStatements(node) !== undefined) {
        return { fact: { ...fact, request: { form: 'none' } }, handlers: [], related: new Set() };
    }
    const message = 'there is no completion notification on 2026-07-28, and more is done with it than to call it';
    return { fact: { ...fact, hazards: [{ level: 'manual', message }] }, handlers: [], related: new Set() };
}

const NOT_CALLED = 'it is not called';

/** Start of the nearest statement or class member around a node that begins its line. */
function statementOffset(node: Node): number {
    let at: Node = node;
    for (const ancestor of node.getAncestors()) {
        if (Node.isStatement(ancestor) || Node.isMethodDeclaration(ancestor) || Node.isPropertyDeclaration(ancestor)) {
            at = ancestor;
            if (!Node.isBlock(ancestor) && startsLine(ancestor)) break;
        }
    }
    return at.getStart();
}

function startsLine(node: Node): boolean {
    const text = node.getSourceFile().getFullText();
    const before = text.slice(text.lastIndexOf('\n', node.getStart() - 1) + 1, node.getStart());
    return before.trim() === '';
}

function handlerFacts({ id, registrations }: Reached): HandlerFact[] {
    return registrations.map(({ call, label, callback, wrapped, interruptible }) => ({
        id,
        file: call.getSourceFile().getFilePath(),
        label,
        callback: spanOf(callback),
        wrapped,
        interruptible
    }));
}
