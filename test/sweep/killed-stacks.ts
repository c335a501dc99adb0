import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import fc from 'fast-check';
import { expect } from 'vitest';
import { startTwin, type Twin } from '../../providers/hosting/twin/index.ts';
import type { LeaseClock } from '../../src/ledger/keep-lease.ts';
import { type Ran, Shell } from '../support/cli.ts';
import { type InFront, inFront } from '../support/in-front.ts';
import { initBareRepository, initRepository } from '../support/init-repository.ts';
import { keyText } from '../support/keys.ts';
import { git, gitEnv, temporary } from '../support/ledger-places.ts';
import { startProcess } from '../support/process.ts';
import type { LedgerKind, LedgerServers } from './ledger-servers.ts';
import { bodyOf, type Configuration, formerName, frameworkOf, nameOf, sorts, type Thing } from './things.ts';

export const newCounts = () => ({
  stories: 0,
  runs: 0,
  killed: 0,
  lostFolders: 0,
  added: 0,
  edited: 0,
  removed: 0,
  renamed: 0,
  moved: 0,
  linked: 0,
});
export type Counts = ReturnType<typeof newCounts>;

/** One edit of the configuration. Numbers choose among the things that are there by then. */
const edit = fc.record({
  what: fc.constantFrom(
    ...(['add', 'add', 'add', 'edit', 'edit', 'remove', 'remove', 'rename', 'move', 'link', 'link'] as const),
  ),
  stack: fc.nat(2),
  other: fc.nat(1),
  sort: fc.constantFrom(...sorts),
  pick: fc.nat(100),
  value: fc.integer({ min: 1, max: 200 }),
});
type Edit = typeof edit extends fc.Arbitrary<infer T> ? T : never;

/** One apply of all stacks after some edits. */
const step = fc.record({
  edits: fc.array(edit, { minLength: 2, maxLength: 6 }),
  /** The process is killed at this write: before the platform gets it, or after it was carried out and before the answer. */
  killAt: fc.integer({ min: 1, max: 8 }),
  when: fc.constantFrom('before', 'after'),
  /** The next run works in another folder, without the journals. */
  losesFolder: fc.boolean(),
});
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

/** A story: stacks on one account, edited and applied again and again by runs that are killed. */
export const killedStory = fc.record({
  stacks: fc.integer({ min: 2, max: 3 }),
  steps: fc.array(step, { minLength: 2, maxLength: 4 }),
});
export type KilledStory = typeof killedStory extends fc.Arbitrary<infer T> ? T : never;

/** A clock that runs fast, so that a lease of a killed run is over after a second. */
function fastClock(): LeaseClock {
  const [start, times] = [Date.now(), 60];
  const now = () => start + (Date.now() - start) * times;
  const sleep = (milliseconds: number, signal?: AbortSignal) =>
    setTimeout(milliseconds / times, undefined, signal ? { signal } : {});
  return { now, monotonic: now, sleep };
}

/** Returns a new bare repository for ledgers in git; undefined for ledgers elsewhere. */
export function originFor(kind: LedgerKind): string | undefined {
  if (kind !== 'git') return undefined;
  const origin = join(temporary(), 'origin.git');
  initBareRepository(origin);
  return origin;
}

/** Returns a new folder in which to run the tool, with a clock by which the leases of killed runs soon expire. */
export function newFolder({
  url,
  settings,
  origin,
}: {
  url: string;
  settings: Record<string, string>;
  origin: string | undefined;
}): Shell {
  const shell = new Shell();
  initRepository(shell.folder);
  if (origin) git(shell.folder, 'remote', 'add', 'origin', origin);
  shell.clock = fastClock();
  shell.env = {
    ...gitEnv,
    ...settings,
    TRUEUP_BASE_URL: url,
    TRUEUP_TOKEN: 'token-for-tests',
    TRUEUP_LEDGER_KEY: keyText(),
  };
  return shell;
}

const apply = ['apply', '--all', '--auto-approve', '--settle', '0', '--max-deletions', '100'];

/** Plays a story with the ledgers in this kind of place. */
export async function playKilled(
  kind: LedgerKind,
  servers: LedgerServers,
  story: KilledStory,
  counts: Counts,
): Promise<void> {
  const company = await KilledStacks.start(kind, await servers.newPlace(kind), story.stacks, counts);
  try {
    for (const one of story.steps) await company.take(one);
    counts.stories += 1;
  } finally {
    await company.close();
  }
}

class KilledStacks {
  readonly #twin: Twin;
  readonly #settings: Record<string, string>;
  readonly #counts: Counts;
  readonly #configurations: Configuration[];
  /** The projects of earlier stacks that each stack links its shared variable to. */
  readonly #links: Set<string>[];
  /** The bare repository of the ledgers, if they are in git. */
  readonly #origin: string | undefined;
  #ids = new Map<string, string>();
  #made = 0;
  #front: InFront | undefined;
  #shell: Shell | undefined;
  #onWrite: (pass: () => Promise<unknown>) => Promise<boolean> = async () => true;

  private constructor(
    kind: LedgerKind,
    twin: Twin,
    settings: Record<string, string>,
    stacks: number,
    counts: Counts,
  ) {
    this.#twin = twin;
    this.#settings = settings;
    this.#counts = counts;
    this.#configurations = Array.from({ length: stacks }, () => new Map());
    this.#links = Array.from({ length: stacks }, () => new Set());
    this.#origin = originFor(kind);
  }

  static async start(
    kind: LedgerKind,
    settings: Record<string, string>,
    stacks: number,
    counts: Counts,
  ): Promise<KilledStacks> {
    const twin = await startTwin({ seed: { domains: [{ name: 'example.com' }] } });
    const company = new KilledStacks(kind, twin, settings, stacks, counts);
    company.#front = await inFront(
      () => twin.url,
      async ({ method }, pass) => {
        if (method === 'GET') return pass();
        let answer: Awaited<ReturnType<typeof pass>>;
        const isAnswered = await company.#onWrite(async () => {
          answer = await pass();
        });
        return isAnswered ? (answer ?? pass()) : undefined;
      },
    );
    await company.#enterFolder();
    return company;
  }

  async close(): Promise<void> {
    this.#front?.close();
    await this.#twin.close();
  }

  /** Edits, applies with a run that is killed, applies again, and checks the account. */
  async take({ edits, killAt, when, losesFolder }: Step): Promise<void> {
    const touched = new Set<string>();
    for (const one of edits) this.#edit(one, touched);
    await this.#write();
    const wasKilled = await this.#killedApply(killAt, when);
    // A ledger in a file is lost with its folder.
    if (wasKilled && losesFolder && Object.keys(this.#settings).length > 0) {
      this.#counts.lostFolders += 1;
      await this.#enterFolder();
      await this.#write();
    }
    this.#expectDone(await this.#run([...apply, '--lock-wait', '300']));
    this.#expectDone(await this.#run(['plan', '--all', '--detailed-exitcode']));
    this.#expectAccount();
    for (const configuration of this.#configurations)
      for (const [name, { was: _, from: __, removed, ...thing }] of configuration)
        if (removed) configuration.delete(name);
        else configuration.set(name, thing);
  }

  /** `touched`: the names of things that this step has edited; each is edited once. */
  #edit({ what, ...given }: Edit, touched: Set<string>): void {
    const stacks = this.#configurations.length;
    const stack = given.stack % stacks;
    const own = this.#configurations[stack]!;
    const free = [...own.values()].filter(({ name }) => !touched.has(name));
    const thing = free[given.pick % Math.max(free.length, 1)];
    if (what === 'link') {
      this.#link(stack, given.pick);
      return;
    }
    if (what === 'add' || !thing) {
      const name = nameOf(given.sort, this.#made++);
      touched.add(name);
      own.set(name, { sort: given.sort, name, value: given.value });
      this.#counts.added += 1;
      return;
    }
    touched.add(thing.name);
    if (what === 'edit') {
      own.set(thing.name, { ...thing, value: given.value });
      this.#counts.edited += 1;
      return;
    }
    for (const links of this.#links) links.delete(thing.name);
    own.delete(thing.name);
    if (what === 'remove') {
      // Without an entry of `removed`, a project would only be released.
      own.set(thing.name, { ...thing, removed: 'delete' });
      this.#counts.removed += 1;
    }
    if (what === 'rename') {
      const name = nameOf(thing.sort, this.#made++);
      touched.add(name);
      own.set(name, { ...thing, name, ...formerName(thing) });
      this.#counts.renamed += 1;
    }
    if (what === 'move') {
      const to = (stack + 1 + (given.other % (stacks - 1))) % stacks;
      this.#configurations[to]!.set(thing.name, { ...thing, from: stackName(stack) });
      this.#counts.moved += 1;
    }
  }

  /** Links the shared variable of a stack to a project of an earlier stack, or ends that. */
  #link(stack: number, pick: number): void {
    const projects = this.#configurations
      .slice(0, stack)
      .flatMap((configuration) => [...configuration.values()])
      .filter((thing) => thing.sort === 'project' && !thing.was && !thing.from && !thing.removed);
    const project = projects[pick % Math.max(projects.length, 1)];
    if (!project) return;
    const links = this.#links[stack]!;
    if (!links.delete(project.name)) links.add(project.name);
    this.#counts.linked += 1;
  }

  #bodyOf = (stack: number) =>
    bodyOf([...this.#configurations[stack]!.values()], {
      ownsSite: stack === 0,
      ...(stack === 0 ? {} : { link: `LINK_${stack}`, linked: [...this.#links[stack]!] }),
    });

  /** Begins to work in a new folder. */
  async #enterFolder(): Promise<void> {
    this.#shell = newFolder({ url: this.#front!.url, settings: this.#settings, origin: this.#origin });
  }

  async #write(): Promise<void> {
    const stacks = this.#configurations.map((_, stack) => stackName(stack));
    const entries = stacks.map((name, stack) =>
      stack === 0 ? name : `{ path: ${name}, needs: [${stacks.slice(0, stack).join(', ')}] }`,
    );
    await this.#shell!.write({
      'trueup.workspace.yaml': `stacks: [${entries.join(', ')}]\n`,
      ...Object.fromEntries(
        stacks.map((name, stack) => [
          `${name}/trueup.yaml`,
          `stack: ${name}\nplatform: { team: acme }\n${this.#bodyOf(stack)}`,
        ]),
      ),
    });
  }

  /** Applies in a process that is killed at a write. Returns false if it was done before. */
  async #killedApply(killAt: number, when: Step['when']): Promise<boolean> {
    const { folder, env } = this.#shell!;
    let writes = 0;
    let kill = () => {};
    this.#onWrite = async (pass) => {
      writes += 1;
      if (writes < killAt) return true;
      if (when === 'after') await pass();
      kill();
      return false;
    };
    const { child, ended } = startProcess(apply, { cwd: folder, env });
    kill = () => void child.kill('SIGKILL');
    const ran = await ended;
    this.#onWrite = async () => true;
    this.#counts.runs += 1;
    if (ran.status !== null) this.#expectDone(ran);
    else this.#counts.killed += 1;
    return ran.status === null;
  }

  #run(args: string[]): Promise<Ran> {
    this.#counts.runs += 1;
    return this.#shell!.run(args);
  }

  #expectDone({ status, all }: Ran): void {
    expect(status, all).toBe(0);
  }

  /** Compares all that is in the account with what the stacks declare. What was renamed, edited or moved keeps its id. */
  #expectAccount(): void {
    const { projects, domains, sharedEnv } = this.#twin.account;
    const things = this.#configurations.flatMap((configuration) =>
      [...configuration.values()].filter((thing) => !thing.removed),
    );
    const ofSort = (sort: Thing['sort'], text: (thing: Thing) => string) =>
      things.filter((thing) => thing.sort === sort).map(text);
    const [site] = projects.filter(({ name }) => name === 'site');
    const nameById = new Map(projects.map(({ id, name }) => [id, name]));
    const found = {
      projects: projects
        .filter((project) => project !== site)
        .map(({ name, framework }) => `${name} ${framework}`),
      variables: site!.env.map(({ key, value, target }) => `${key} ${value} ${target}`),
      // Each project has one that the platform makes.
      domains: site!.domains.map(({ name }) => name).filter((name) => !name.endsWith('.vercel.app')),
      records: domains.flatMap(({ records }) =>
        records.map(({ type, name, value }) => `${type} ${name} ${value}`),
      ),
      links: sharedEnv.map(
        ({ key, projectId }) => `${key} ${(projectId ?? []).map((id) => nameById.get(id)).sort()}`,
      ),
    };
    const declared = {
      projects: ofSort('project', (thing) => `${thing.name} ${frameworkOf(thing)}`),
      variables: ofSort('variable', ({ name, value }) => `${name} v${value} preview`),
      domains: ofSort('domain', ({ name }) => name),
      records: ofSort('record', ({ name, value }) => `A ${name} 192.0.2.${value}`),
      links: this.#links.slice(1).map((links, index) => `LINK_${index + 1} ${[...links].sort()}`),
    };
    expect(sorted(found)).toEqual(sorted(declared));
    const ids = new Map(projects.map(({ id, name }) => [name, id]));
    for (const { name, was = name } of things)
      if (this.#ids.has(was)) expect([name, ids.get(name)]).toEqual([name, this.#ids.get(was)]);
    this.#ids = ids;
  }
}

const stackName = (stack: number) => ['web', 'growth', 'mail'][stack]!;

const sorted = (lists: Record<string, string[]>) =>
  Object.fromEntries(Object.entries(lists).map(([name, list]) => [name, [...list].sort()]));
