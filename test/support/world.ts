import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect } from '../../providers/hosting/connect.ts';
import { extraOperations } from '../../providers/hosting/extra-operations.ts';
import { kinds as allKinds } from '../../providers/hosting/kinds/index.ts';
import {
  type Outside,
  type Seed,
  type Switches,
  startTwin,
  type Twin,
  type TwinOptions,
} from '../../providers/hosting/twin/index.ts';
import { emptyAccount } from '../../providers/hosting/twin/tables.ts';
import type { WrittenConfiguration } from '../../src/config/configuration.ts';
import { load } from '../../src/config/load.ts';
import { resolveSecrets } from '../../src/config/resolve-secrets.ts';
import type { Clock } from '../../src/http/clock.ts';
import { kindsOf } from '../../src/kind/define-kind.ts';
import type { Connection } from '../../src/kind/provider.ts';
import type { SideEffect } from '../../src/model/change.ts';
import { hasErrors } from '../../src/model/diagnostic.ts';
import { ledgerKeyFrom } from '../../src/model/digest.ts';
import type { ApplyEvent, Outcome } from '../../src/model/event.ts';
import { emptyLedger, type Ledger, type OtherStack } from '../../src/model/ledger.ts';
import { createMasking, type Masking } from '../../src/model/masking.ts';
import { canaryOperation, type Plan } from '../../src/model/plan.ts';
import { readOnly } from '../../src/model/request.ts';
import { permissions } from '../../src/model/resource.ts';
import type { Sealed } from '../../src/model/sealed.ts';
import { dropUndefined } from '../../src/model/walk.ts';
import { createRefresh } from '../../src/observe/refresh.ts';
import type { PlanOptions } from '../../src/plan/input.ts';
import { findSideEffects } from '../../src/plan/side-effects.ts';
import { canaryCheck } from '../../src/run/check-first-change.ts';
import { execute } from '../../src/run/execute.ts';
import { type ExecuteOptions, optionsWithoutSession } from '../../src/run/execute-options.ts';
import { type PlannedRun, type PlanRunOptions, planRun } from '../../src/run/plan-run.ts';
import { refusedFindings, unsettledFindings } from '../contract/of-run.ts';
import { allAllowed } from './all-allowed.ts';
import { narrowedStacks } from './narrowed.ts';
import { putPictures } from './pictures.ts';
import { type PlannedAccount, planTwice } from './replayed.ts';
import { replaysPlans } from './replays-plans.ts';
import { bought } from './sample.ts';
import { withoutSockets } from './without-sockets.ts';

export const kinds = kindsOf(allKinds);

/** Everything up to a plan, as data. */
export interface Planned extends PlannedRun {
  configuration: WrittenConfiguration;
}

/** A value for a secret of an example: 32 letters and digits, which any field takes. */
export const exampleSecret = (name: string): string =>
  /_(cert|ca)$/.test(name)
    ? '-----BEGIN CERTIFICATE-----\nnames: shop.example.com\n-----END CERTIFICATE-----\n'
    : name.replaceAll('_', '').padEnd(32, 'x').slice(0, 32);

const isKnownOutside = ({ method, path }: Outside) =>
  extraOperations.some((one) => one.method === method && one.path === path);

/** A configuration: the body of its only file, or the whole text of each file by name. */
export type Yaml = string | Record<string, string>;

/**
 * One account on a twin of its own, with a ledger in memory. `yaml` is the body of the configuration: the header is added.
 *
 *     const world = await World.start({ seed });
 *     await world.converge('projects: { web: { framework: nextjs } }');
 */
export class World {
  readonly twin: Twin;
  readonly connection: Connection;
  readonly folder: string;
  /** How many teams there were at the beginning. */
  readonly #teams: number;
  /** The shared variables that were there at the beginning. */
  readonly #seededVariables: Twin['account']['sharedEnv'];
  ledger: Ledger;
  env: Record<string, string> = {};
  /** The secrets of the runs here. */
  readonly masking: Masking;
  readonly key = ledgerKeyFrom('a key for tests, long enough');
  now: () => number = Date.now;
  /** How long the account's lists may take to show a write; nothing waits for it here. */
  settle = 0;
  /** The values of secrets, in place of those that their sources have. */
  secretsOf?: (configuration: WrittenConfiguration) => ReadonlyMap<string, Sealed>;
  /** Operations at once, while applying; with one the order of requests is always the same. */
  parallelism = 8;
  /** The data files beside the configuration that git is to track, and those of `--var-file`. */
  tracked: readonly string[] = [];
  varFiles: readonly string[] = [];
  stage?: string;
  /** What other stacks own in this account. */
  others: readonly OtherStack[] = [];
  /** What changed beside the last `converge`. */
  beside: SideEffect[] = [];
  /** True if each plan is made again from a snapshot, and both must be equal. */
  replays = replaysPlans;
  /** The messages of all runs so far. */
  readonly said: string[] = [];

  private constructor(twin: Twin, connection: Connection, masking: Masking, folder: string, owner: string) {
    this.twin = twin;
    this.#teams = twin.account.teams.length;
    this.#seededVariables = structuredClone(twin.account.sharedEnv);
    this.masking = masking;
    this.connection = connection;
    this.folder = folder;
    this.ledger = emptyLedger(twin.url, owner, 'test');
  }

  static async start(
    options: { seed?: Seed; switches?: Partial<Switches> } & Omit<TwinOptions, 'seed' | 'switches'> = {},
    client: { maxWait?: number; clock?: Clock } = {},
  ): Promise<World> {
    const twin = await startTwin(options);
    withoutSockets(twin, options.faults);
    const team = twin.account.teams[0]!.slug;
    const { maxWait, clock } = client;
    const masking = createMasking();
    const connection = connect(
      { baseUrl: twin.url, token: 'test-token', scope: { team }, masking, ...dropUndefined({ maxWait }) },
      dropUndefined({ clock }),
    );
    const owner = await connection.owner();
    return new World(twin, connection, masking, mkdtempSync(join(tmpdir(), 'trueup-')), owner.id);
  }

  /** Throws if a request was outside of the platform's public schema, but for what clients are known to send beyond it. */
  async stop(): Promise<void> {
    await this.connection.close();
    await this.twin.close();
    rmSync(this.folder, { recursive: true });
    const wrong = this.twin.outside.filter((one) => !isKnownOutside(one));
    if (wrong.length > 0) throw new Error(`outside of the public schema: ${JSON.stringify(wrong)}`);
  }

  /** Takes everything out of the account but its people and the shared variables of its seed, and out of the ledger. */
  clear(): void {
    const { teamMembers: _, ...lists } = emptyAccount();
    Object.assign(this.twin.account, lists, { sharedEnv: structuredClone(this.#seededVariables) });
    // Those that were made since are gone, too.
    this.twin.account.teams.splice(this.#teams);
    this.ledger = { ...this.ledger, entries: {} };
  }

  async configure(yaml: Yaml): Promise<WrittenConfiguration> {
    const header = `stack: test\nplatform: { team: ${this.twin.account.teams[0]!.slug} }\n`;
    const files =
      typeof yaml === 'string' ? { 'trueup.yaml': /^stack:/m.test(yaml) ? yaml : header + yaml } : yaml;
    for (const [name, text] of Object.entries(files)) writeFileSync(join(this.folder, name), text);
    await putPictures(this.folder, Object.values(files).join());
    const sources = allAllowed(this.env, this.folder, this.tracked);
    const actionsAndLookups = async () =>
      (await import('../../providers/hosting/day-two.ts')).actionsAndLookups;
    const { tracked, varFiles, folder, env, stage } = this;
    const paths = Object.keys(files).filter((name) => !tracked.includes(name) && !varFiles.includes(name));
    const options = { kinds, actionsAndLookups, cwd: folder, paths, env, sources, varFiles: [...varFiles] };
    return load(stage === undefined ? options : { ...options, stage });
  }

  /** Reads and plans; `also`: kinds of which all is read. Problems are in the plan's diagnostics, those of the configuration in front. */
  async plan(yaml: Yaml, options: PlanOptions = {}, also?: PlanRunOptions['also']): Promise<Planned> {
    return this.#planFor(await this.configure(yaml), options, also);
  }

  async #planFor(
    configuration: WrittenConfiguration,
    options: PlanOptions,
    also?: PlanRunOptions['also'],
  ): Promise<Planned> {
    this.#buy(configuration);
    const resolved = await resolveSecrets(configuration, {
      env: this.env,
      cwd: this.folder,
      sources: allAllowed(this.env, this.folder),
    });
    const values = this.secretsOf?.(configuration) ?? resolved.values;
    const desired = options.destroy
      ? { ...configuration.desired, resources: new Map() }
      : configuration.desired;
    const owner = await this.connection.owner();
    const { ledger, connection, key } = this;
    const planInput = {
      desired,
      ledger,
      kinds,
      secrets: values,
      facts: owner.facts,
      now: this.now(),
      settle: this.settle,
      ...(also ? { also } : {}),
      // What asks for consent has it, unless a test is about that.
      options: { allow: permissions, ...options },
    };
    const account = { connection, key, otherStacks: narrowedStacks(this.others, kinds) };
    const plan = ({ connection, ...account }: PlannedAccount, secrets = values, declared = desired) =>
      planRun({ ...planInput, ...account, secrets, desired: declared, send: readOnly(connection.send) });
    const run = this.replays ? await planTwice({ ...planInput, owner }, account, plan) : await plan(account);
    const diagnostics = [...configuration.diagnostics, ...run.diagnostics];
    return { ...run, plan: { ...run.plan, diagnostics }, configuration };
  }

  /** What only people can do is done: a domain is bought. */
  #buy({ desired }: WrittenConfiguration): void {
    const has = new Set(this.twin.account.domains.map(({ name }) => name));
    const names = [...desired.resources.values()].flatMap(({ kind, meta, fields }) =>
      kind === 'domain' && meta.existing ? String(fields.name) : [],
    );
    const missing = names.filter((name) => name.endsWith(`.${bought}`) && !has.has(name));
    if (missing.length > 0) this.twin.add({ domains: missing.map((name) => ({ name, boughtAt: 1 })) });
  }

  /** Carries out a plan; the ledger advances. `more`: what is to be different, for example a `send` that fails. */
  async apply(
    planned: Planned,
    more: Partial<
      Pick<
        ExecuteOptions,
        'onEvent' | 'send' | 'quota' | 'stop' | 'save' | 'deliver' | 'refresh' | 'checkCanary'
      >
    > = {},
  ): Promise<{ outcome: Outcome; events: ApplyEvent[] }> {
    const events: ApplyEvent[] = [];
    const { plan, live, input, aliases } = planned;
    const result = await execute({
      ...optionsWithoutSession(planned, this.connection),
      masking: this.masking,
      parallelism: this.parallelism,
      onEvent: (event) => events.push(event),
      now: this.now,
      checkCanary:
        canaryOperation(plan) &&
        canaryCheck({
          ...{ planned, settle: 0, stop: new AbortController().signal },
          send: readOnly(more.send ?? this.connection.send),
          clock: { sleep: async () => {} },
          say: (text) => this.said.push(text),
        }),
      refresh: createRefresh({
        ...input,
        // What is in between may change while it works.
        send: (request) => readOnly(this.connection.send)(request),
        aliases,
        before: live,
      }),
      ...more,
    });
    this.ledger = result.ledger;
    return { outcome: result.outcome, events };
  }

  /**
   * Plan, apply, plan again: nothing may fail, and the second plan must be empty and its apply must send no write.
   * Returns the first plan.
   */
  async converge(yaml: Yaml, options: PlanOptions = {}): Promise<Plan> {
    const first = await this.plan(yaml, options);
    if (hasErrors(first.plan.diagnostics)) throw new Error(`plan refused: ${describe(first.plan)}`);
    const { outcome } = await this.apply(first);
    if (outcome.failed.length + outcome.postponed.length + outcome.skipped.length > 0)
      throw new Error(
        `apply failed: ${refusedFindings(first.plan, outcome).join('\n')}\nskipped: ${[...outcome.postponed, ...outcome.skipped].map(({ address }) => address).join(', ')}`,
      );
    // The files are as they were, so they are not read again.
    const second = await this.#planFor(first.configuration, {
      ...options,
      containersToDelete: [],
      sendUnverified: [],
    });
    const left = second.plan.changes.filter(({ action }) => action !== 'noop');
    if (left.length > 0 || second.plan.operations.length > 0 || hasErrors(second.plan.diagnostics))
      throw new Error(
        [...unsettledFindings(second.plan), `the second plan is not empty: ${describe(second.plan)}`].join(
          '\n',
        ),
      );
    this.beside = findSideEffects(first.plan, first.live, second.live, {
      ...first.input,
      desired: first.configuration.desired,
    });
    return first.plan;
  }

  /** Method and path of the writes since `since` (a length of `twin.requests`). */
  writes(since = 0): string[] {
    return this.twin.requests
      .slice(since)
      .filter(({ method }) => method !== 'GET')
      .map(({ method, path }) => `${method} ${path.replace(/[?&]teamId=[^&]*/, '')}`);
  }
}

/** A plan in a few lines, for failing tests. */
export function describe({ changes, operations, diagnostics }: Plan): string {
  return [
    ...diagnostics.map((d) => `${d.severity} ${d.code}: ${d.message}`),
    ...changes
      .filter(({ action }) => action !== 'noop')
      .map(
        ({ action, address, fields }) =>
          `${action} ${address} ${fields.map((f) => `${f.path}(${f.cause}): ${JSON.stringify(f.before)} -> ${JSON.stringify(f.after)}`).join('; ')}`,
      ),
    ...operations.map(({ id }) => `operation ${id}`),
  ].join('\n');
}
