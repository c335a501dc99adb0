import type { Command } from 'commander';
import { type AcceptResult, accept, type ChangedFile } from '../accept/accept.ts';
import { findAddedAddresses } from '../accept/declare-new-objects.ts';
import { type AcceptedPaths, findDefects, orderPath } from '../accept/find-defects.ts';
import { findReorderedLists, type NewOrder } from '../accept/reorder-lists.ts';
import { confirmPossibleSecrets, findAdditions, groupByEntry } from '../app/accepting/accept-additions.ts';
import {
  type AcceptedFiles,
  diffAccepted,
  rereadAccepted,
  unprovenProblems,
  writeAllOrNone,
} from '../app/accepting/accepted-files.ts';
import { exportedSecretEnv } from '../app/exporting/export-values.ts';
import { hasOtherValueIn } from '../app/exporting/exported-files.ts';
import { mayContainMatch } from '../app/exporting/observe-account.ts';
import { writtenAsFound } from '../app/exporting/write-export.ts';
import { createPlanOptions, type PlanningOptions } from '../app/planning/plan-options.ts';
import { createLoadOptions } from '../app/session/load-configuration.ts';
import { loadForRun, openSession, type Session as PlanningSession } from '../app/session/session.ts';
import type { StackOptions } from '../app/stack-options.ts';
import type { WrittenConfiguration } from '../config/configuration.ts';
import { load } from '../config/load.ts';
import { findPossibleSecrets } from '../export/find-possible-secrets.ts';
import type { Provider } from '../kind/provider.ts';
import type { Address } from '../model/address.ts';
import { matcherOf } from '../model/address-glob.ts';
import { Problems, problem } from '../model/diagnostic.ts';
import { addressWithoutTarget } from '../model/logical-changes.ts';
import type { Move } from '../model/move.ts';
import { driftCount } from '../model/plan.ts';
import { standardInput } from '../model/resource.ts';
import { shellQuoted } from '../model/shell-word.ts';
import { namesInPath } from '../model/value.ts';
import { createUnmatchedGlobProblems } from '../plan/select-changes.ts';
import { count } from '../report/count.ts';
import { diagnosticsText } from '../report/diagnostics-text.ts';
import { notComparedState } from '../report/not-compared-text.ts';
import { type OpenPlanOptions, openPlan, type Planned } from '../run/open-plan.ts';
import { readCache } from '../run/read-cache.ts';
import type { CommandRun } from './command-run.ts';
import { problemsCode } from './exit-codes.ts';
import { collect, withAccount } from './options.ts';
import { isYes, type Terminal, terminalFor } from './terminal.ts';

interface AcceptCommandOptions extends StackOptions {
  all?: boolean;
  autoApprove?: boolean;
  new?: string[];
  values?: string[];
}

export function acceptCommand(command: Command, provider: Provider, run: CommandRun): void {
  withAccount(command)
    .argument('[addresses...]', 'what to accept: addresses or address globs')
    .option('--all', 'everything that was changed outside since the last apply')
    .option('--auto-approve', 'write without asking')
    .option(
      '--values <address-glob>',
      'write the values of these variables even though they may be secrets; repeatable',
      collect,
    )
    .option(
      '--new <address-glob>',
      'also declare live objects that are not declared yet; repeatable',
      collect,
    )
    .action((addresses: string[], options: AcceptCommandOptions) =>
      new Accepting(provider, options, addresses, terminalFor(run, options)).run(),
    );
}

/** Here the configuration is edited, so its text is kept. */
interface AcceptSession extends PlanningSession {
  configuration: WrittenConfiguration;
}

class Accepting {
  readonly #provider: Provider;
  readonly #options: AcceptCommandOptions;
  readonly #addresses: string[];
  readonly #terminal: Terminal;
  #additions: ReadonlySet<Address> = new Set();
  #notAdded: readonly string[] = [];

  constructor(provider: Provider, options: AcceptCommandOptions, addresses: string[], terminal: Terminal) {
    this.#provider = provider;
    this.#options = options;
    this.#addresses = addresses;
    this.#terminal = terminal;
  }

  async run(): Promise<void> {
    this.#checkOptions();
    const loaded = await loadForRun(this.#provider, this.#options, this.#terminal);
    const session = await openSession(this.#provider, this.#options, this.#terminal, { loaded });
    try {
      // The proof is made on what was read the first time.
      session.connection = { ...session.connection, send: readCache(session.connection.send).send };
      await this.#accept(Object.assign(session, { configuration: loaded.configuration, writes: true }));
    } finally {
      await session.close();
    }
  }

  #checkOptions(): void {
    const { all, new: added = [], file = [] } = this.#options;
    if (file.includes(standardInput))
      throw new Problems('accept/input', 'standard input cannot be written to', {
        hint: 'name the files: -f PATH',
      });
    if (all && this.#addresses.length > 0)
      throw new Problems('cli/options', '--all and addresses exclude each other');
    if (!all && this.#addresses.length === 0 && added.length === 0)
      throw new Problems('accept/nothing-named', 'nothing to accept was named', {
        hint: "name it, as in `trueup accept 'projects/web/**'`, or accept everything that changed outside: `trueup accept --all`",
      });
  }

  async #accept(session: AcceptSession): Promise<void> {
    const terminal = this.#terminal;
    const planned = await openPlan(session, this.#planning());
    const { plan } = planned;
    const unread = plan.diagnostics
      .filter(({ code }) => code === 'observe/incomplete')
      .map((problem) => ({ ...problem, hint: 'what could be read is accepted; run again for the rest' }));
    terminal.say(diagnosticsText(unread, { style: terminal.errStyle }));
    // What is accepted is written all the same.
    if (this.#isMissing(plan)) terminal.run.exitCode = problemsCode(unread);
    this.#refuseUnmatched(session, planned);
    const { all, new: globs = [] } = this.#options;
    const additions = await findAdditions(session, planned, { named: this.#addresses, all, globs });
    this.#additions = additions.additions;
    this.#notAdded = additions.notAdded;
    const { possibleSecrets } = this.#accepted(session, planned, new Set());
    const allowed = await confirmPossibleSecrets(possibleSecrets, this.#options, terminal);
    const result = this.#accepted(session, planned, allowed);
    const orders = this.#orders(session, planned);
    this.#tell(result, this.#asFound(session, planned, result));
    if (result.unplaced.length > 0)
      throw new Problems(
        result.unplaced.map(({ addresses, reason }) =>
          problem('accept/unplaced', `${addresses.join(', ')}: ${reason}`, {
            hint: 'edit it by hand; nothing was written',
          }),
        ),
      );
    if (result.files.length === 0 && orders.length === 0) {
      terminal.say(
        [
          driftCount(plan) === 0 ? 'Nothing was changed outside since the last apply.' : 'Nothing to accept.',
          ...notComparedState(plan),
        ].join(' '),
      );
      return;
    }
    const next = await rereadAccepted(session, result.files, orders, (texts) => this.#reload(session, texts));
    const paths = new Map(result.paths);
    const { resources } = session.configuration.desired;
    for (const address of findAddedAddresses(
      resources,
      next.configuration.desired.resources,
      result.extendedSections,
    ))
      paths.set(address, new Set(['']));
    for (const { addresses } of orders)
      for (const address of addresses)
        paths.set(address, new Set([...(paths.get(address) ?? []), orderPath]));
    await this.#prove(session, planned, next, paths, result.moves);
    terminal.out(diffAccepted(next.files, session.configuration, next.configuration, allowed));
    if (!(await this.#agreed(next.files))) return;
    await writeAllOrNone(next.files);
    terminal.say(`Wrote ${next.files.map(({ name }) => name).join(', ')}.`);
  }

  /** True if anything that is to be accepted could not be read. */
  #isMissing({ notCompared = [] }: Planned['plan']): boolean {
    const matches = this.#options.all ? () => true : matcherOf(this.#addresses);
    return notCompared.some(
      ({ cause, items }) => cause === 'unread' && items.some(({ address }) => matches(address)),
    );
  }

  /** Plans with the objects that are to be declared, too. */
  #planning(): OpenPlanOptions {
    const { new: globs } = this.#options;
    const options = createPlanOptions(this.#options as PlanningOptions, this.#terminal.run.host);
    return globs ? { ...options, also: (kind, parent) => mayContainMatch(kind, parent, globs) } : options;
  }

  /** Returns the orders to take over: those changed outside, and named ones where it is unknown who changed them. */
  #orders({ kinds, configuration: { desired } }: AcceptSession, { plan, live }: Planned): NewOrder[] {
    const matches = matcherOf(this.#addresses);
    return findReorderedLists(plan.changes, { desired, live, kinds }).filter(
      ({ addresses, isChangedOutside }) =>
        this.#addresses.length > 0 ? addresses.some(matches) : this.#options.all === true && isChangedOutside,
    );
  }

  #reload = ({ sources }: AcceptSession, texts: ReadonlyMap<string, string>): Promise<WrittenConfiguration> =>
    load({ ...createLoadOptions(this.#provider, this.#options, this.#terminal.run), sources, texts });

  #refuseUnmatched({ desired }: AcceptSession, { plan }: Planned): void {
    const known = [...desired.resources.keys(), ...plan.changes.map(({ address }) => address)];
    const wrong = createUnmatchedGlobProblems(this.#addresses, [
      ...known,
      ...plan.unmanaged.map(({ address }) => address),
    ]);
    if (wrong.length > 0) throw new Problems(wrong);
  }

  #accepted(session: AcceptSession, { plan, live }: Planned, allowed: ReadonlySet<string>): AcceptResult {
    const isNamed = this.#addresses.length > 0;
    const matches = matcherOf(this.#addresses);
    const { kinds, configuration } = session;
    const { desired } = configuration;
    return accept(
      {
        plan,
        desired,
        live,
        written: configuration.written(),
        kinds,
        additions: this.#additions,
        isTaken: hasOtherValueIn(session.host),
      },
      {
        isNamed,
        isChosen: (address) => (isNamed ? matches(address) : this.#options.all === true),
        mayWrite: (address, path) => allowed.has(`${address} ${path}`),
      },
    );
  }

  /** The fields that are written as they were found, and could hold a secret. */
  #asFound({ kinds }: AcceptSession, { live }: Planned, { paths }: AcceptResult): string[] {
    const isWritten = (address: Address, field: string) =>
      this.#additions.has(address) ||
      [...(paths.get(address) ?? [])].some((path) => path === '' || namesInPath(path)[0] === field);
    return findPossibleSecrets(live, kinds, isWritten);
  }

  #tell({ leftOut, possibleSecrets, removedRows, exported }: AcceptResult, found: readonly string[]): void {
    const lines = [
      ...writtenAsFound(found),
      ...removedRows,
      ...this.#notAdded,
      ...(exported?.notes ?? []),
      ...[...(exported?.secretUsers ?? [])].map(
        ([name, [use]]) =>
          `${addressWithoutTarget(use!)}: its value is not written; set ${exportedSecretEnv(name)} where this is applied`,
      ),
      ...groupByEntry(possibleSecrets).map(
        ({ name, whole, path }) =>
          `${name}: \`${path}\` changed but is not written, since it may be a secret: --values '${whole}'`,
      ),
      ...leftOut.map(({ address, reason }) => `${addressWithoutTarget(address)}: ${reason}`),
    ];
    if (lines.length > 0) this.#terminal.say([...new Set(lines)].join('\n'));
  }

  /** Plans the new texts against the account as it was read. Throws `Problems` where that finds more than nothing. */
  async #prove(
    session: AcceptSession,
    planned: Planned,
    { configuration }: AcceptedFiles,
    paths: AcceptedPaths,
    moves: readonly Move[],
  ): Promise<void> {
    const { desired } = configuration;
    const { kinds } = session;
    const proof = await openPlan({ ...session, desired }, this.#planning());
    const wrong = findDefects(
      { plan: planned.plan, desired: session.desired },
      { plan: proof.plan, desired },
      paths,
      { moves, kinds },
    );
    if (wrong.length > 0) throw unprovenProblems(wrong);
    if (this.#options.all)
      for (const { addresses } of findReorderedLists(proof.plan.changes, {
        desired,
        live: proof.live,
        kinds,
      }))
        this.#terminal.say(
          `${addresses[0]}: the order of its list differs, and it is unknown who changed it: trueup accept ${shellQuoted(addresses[0]!)}`,
        );
  }

  #agreed(files: ChangedFile[]): Promise<boolean> | boolean {
    if (this.#options.autoApprove) return true;
    return isYes(this.#terminal, {
      question: `Write ${count(files.length, 'file')}?`,
      no: 'Nothing was written.',
      unattended: problem(
        'cli/unattended',
        'accept needs a terminal or --auto-approve; nothing was written',
        {
          hint: 'pass --auto-approve where the diff is reviewed later, as in a pull request',
        },
      ),
    });
  }
}
