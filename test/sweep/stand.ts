import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished } from 'vitest';
import { startTwin, type Twin } from '../../providers/hosting/twin/index.ts';
import { type Ran, type Running, Shell } from '../support/cli.ts';
import { inFront, type PassedAnswer, type PassingRequest } from '../support/in-front.ts';
import { gitEnv, temporary } from '../support/ledger-places.ts';
import { startProcess } from '../support/process.ts';
import { accountShape, differences } from './account-shape.ts';
import { canaries, environment, type Stage, seed, stages } from './whole-stack.ts';
import { type StoreName, Workplace } from './workplace.ts';

/** A request as it arrives; undefined as an answer breaks the connection. */
export type OnRequest = (
  request: PassingRequest & { number: number },
  pass: () => Promise<PassedAnswer | undefined>,
) => Promise<PassedAnswer | undefined>;

/** What an undisturbed run comes to. */
export interface Expected {
  shape: unknown;
  addresses: string[];
  requests: number;
  ms: number;
}

export const many = ['--max-deletions', '1000'];
export const applying = ['apply', '--auto-approve', '--settle', '0', ...many];

/** An account, a place for runs and their ledger, and everything that they ever said or wrote. */
export class Stand {
  readonly place: Workplace;
  #twin: Twin;
  #url = '';
  #requests = 0;
  #printed: string[] = [];
  /** The secrets that the platform made. */
  #made = new Set<string>();
  /** What was delivered into a folder that is gone. */
  #delivered: string[] = [];
  readonly #foreign: unknown;
  readonly #foreignHooks: ReadonlySet<string>;
  onRequest: OnRequest = (_, pass) => pass();

  private constructor(store: StoreName, twin: Twin) {
    this.place = new Workplace(store);
    this.#twin = twin;
    this.#foreignHooks = new Set(twin.account.webhooks.map(({ id }) => id));
    this.#foreign = this.#ofOthers();
  }

  static async open(store: StoreName): Promise<Stand> {
    const stand = new Stand(store, await startTwin({ seed }));
    const front = await inFront(
      () => stand.#twin.url,
      (request, pass) => {
        stand.#requests += 1;
        return stand.onRequest({ ...request, number: stand.#requests }, pass);
      },
    );
    stand.#url = front.url;
    onTestFinished(async () => {
      front.close();
      await stand.#twin.close();
    });
    return stand;
  }

  get account() {
    return this.#twin.account;
  }

  get shape(): unknown {
    return accountShape(this.#twin.account);
  }

  /** Writes of the account so far. */
  get writes(): { method: string; path: string; status: number }[] {
    return this.#twin.requests.filter(({ method }) => method !== 'GET');
  }

  configure(stage: Stage, folder = this.place.folder): void {
    writeFileSync(join(folder, 'trueup.yaml'), stages[stage]);
  }

  /** Starts the tool in this process; what it says is remembered. */
  start(args: string[], folder = this.place.folder, env: Record<string, string> = {}): Running {
    const shell = new Shell(folder);
    shell.env = this.#env(env);
    const run = shell.start([...args, ...this.place.flags]);
    return { ...run, ended: this.#remembered(run.ended) };
  }

  /** The same as a process of its own, which can be killed. */
  startProcess(args: string[], env: Record<string, string> = {}) {
    const run = startProcess([...args, ...this.place.flags], { cwd: this.place.folder, env: this.#env(env) });
    return { ...run, ended: this.#remembered(run.ended) };
  }

  #env(more: Record<string, string>): Record<string, string> {
    return { ...gitEnv, ...environment, TRUEUP_BASE_URL: this.#url, ...more };
  }

  #remembered(ended: Promise<Ran>): Promise<Ran> {
    return ended.then((ran) => {
      this.#printed.push(ran.all);
      return ran;
    });
  }

  run(args: string[], folder?: string): Promise<Ran> {
    return this.start(args, folder).ended;
  }

  /** Applies a stage without trouble. */
  async smooth(stage: Stage): Promise<Expected> {
    this.configure(stage);
    this.begin();
    const start = performance.now();
    const ran = await this.run(applying);
    const ms = performance.now() - start;
    expect(ran.status, ran.all).toBe(0);
    const addresses = Object.keys(this.place.ledger().entries).sort();
    return { shape: this.shape, addresses, requests: this.#requests, ms };
  }

  /** Requests are counted from here on, and nothing happens to them. */
  begin(onRequest: OnRequest = (_, pass) => pass()): void {
    this.#requests = 0;
    this.onRequest = onRequest;
  }

  /** Gives back how to come back to all that is now. */
  remember(): () => Promise<void> {
    const places = this.place.remember();
    const account = JSON.stringify(this.#twin.account);
    return async () => {
      places();
      await this.#twin.close();
      const statePath = join(temporary(), 'account.json');
      writeFileSync(statePath, account);
      this.#twin = await startTwin({ statePath });
      this.#printed = [];
      this.#delivered = [];
      this.begin();
    };
  }

  /** The folder is lost, with what was delivered into it, which somebody has fetched before. `files` come along. */
  moveOn(files: string[]): void {
    const kept = delivered(this.place.folder);
    if (kept.length > 0) this.#delivered = kept;
    this.place.moveOn(files);
  }

  /** Nothing is lost, doubled or left over, and nobody else's objects were touched. `folders`: where runs have worked. */
  async expectDone(
    stage: Stage,
    expected: Pick<Expected, 'shape' | 'addresses'>,
    folders = [this.place.folder],
  ): Promise<void> {
    this.configure(stage);
    const plan = await this.run(['plan', '--detailed-exitcode']);
    expect(plan.status, plan.all).toBe(0);
    expect(differences(this.shape, expected.shape).join('\n')).toBe('');
    expect(this.#ofOthers()).toEqual(this.#foreign);
    const ledger = this.place.ledger();
    expect(Object.keys(ledger.entries).sort()).toEqual(expected.addresses);
    expect(Object.keys(ledger).filter((name) => ['begun', 'staged'].includes(name))).toEqual([]);
    expect(Object.values(ledger.entries).filter(({ tainted }) => tainted)).toEqual([]);
    expect(this.place.ledgerFiles().join(' ')).toBe(
      this.place.store === 'file' ? 'demo.json' : 'ledger.json',
    );
    // Whatever ended before: one record after the other, and nothing half written.
    const records = this.place.historyFiles();
    expect(records.sort()).toEqual(records.map((_, at) => `${String(at + 1).padStart(6, '0')}.json`));
    const kept = folders.flatMap(delivered);
    // Compared here: neither is to be in the report of a failure.
    for (const { id, secret } of this.#twin.account.webhooks)
      if (!this.#foreignHooks.has(id))
        expect((kept.length > 0 ? kept : this.#delivered).includes(secret)).toBe(true);
    this.expectNoSecret(folders);
    // It was looked where something is.
    expect(this.place.texts()).toContain('projects/stays');
  }

  /** In nothing that was said, written or sent to the repository; to be asked whenever something may lie about. */
  expectNoSecret(folders = [this.place.folder]): void {
    for (const { secret } of this.#twin.account.webhooks) this.#made.add(secret);
    for (const { protectionBypass } of this.#twin.account.projects)
      for (const secret of Object.keys(protectionBypass ?? {})) this.#made.add(secret);
    const seen = [...this.#printed, ...folders.map((folder) => this.place.texts(folder))].join('\n');
    const found = [...Object.entries(canaries), ...[...this.#made].map((secret) => ['made', secret] as const)]
      .filter(([, secret]) => seen.includes(secret))
      .map(([name]) => name);
    expect(found).toEqual([]);
  }

  /** What is not ours, ids and times included. */
  #ofOthers(): unknown {
    const { projects, domains, webhooks } = this.#twin.account;
    const isTheirs = ({ name }: { name: string }) => name.startsWith('theirs');
    const theirs = [
      ...projects.filter(isTheirs),
      ...domains.filter(isTheirs),
      ...webhooks.filter(({ id }) => this.#foreignHooks.has(id)),
    ];
    return JSON.parse(JSON.stringify(theirs));
  }
}

/** The secret of the webhook, where it was delivered. */
function delivered(folder: string): string[] {
  const file = join(folder, 'kept/deploys');
  return existsSync(file) ? [readFileSync(file, 'utf8').trim()] : [];
}
