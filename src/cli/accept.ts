import { constants } from 'node:fs';
import { access, readFile } from 'node:fs/promises';
import type { Command } from 'commander';
import writeFileAtomic from 'write-file-atomic';
import { type AcceptResult, accept, type ChangedFile } from '../accept/accept.ts';
import { type NewOrder, ordersIn, reorder } from '../accept/order.ts';
import { disproved, order, type Paths } from '../accept/proof.ts';
import { edited, type TextEdit } from '../accept/text-edit.ts';
import { type Configuration, load } from '../config/load.ts';
import type { Provider } from '../kind/provider.ts';
import type { Address } from '../model/address.ts';
import { Problems, problem } from '../model/diagnostic.ts';
import { driftCount } from '../model/plan.ts';
import { standardInput } from '../model/resource.ts';
import { matcherOf } from '../plan/matcher-of.ts';
import { unmatched } from '../plan/select.ts';
import { ownersIn } from '../plan/shared.ts';
import { count } from '../report/count.ts';
import { diagnosticsText } from '../report/diagnostics-text.ts';
import { textDiff } from '../report/value-diff.ts';
import { type OpenPlanOptions, openPlan, type Planned } from '../run/open-plan.ts';
import { readCache } from '../run/read-cache.ts';
import { isOnTheWay, isTakenOn } from './export.ts';
import { exportedEnv } from './export-values.ts';
import type { Run } from './host.ts';
import { loadOptions } from './load-configuration.ts';
import { collect, type PlanningOptions, type StackOptions, withAccount } from './options.ts';
import { planningOf } from './planning.ts';
import { loadFor, openSession, type Session } from './session.ts';
import { isYes, type Terminal, terminalFor } from './terminal.ts';

interface Options extends StackOptions {
  all?: boolean;
  autoApprove?: boolean;
  new?: string[];
  values?: string[];
}

export function acceptCommand(command: Command, provider: Provider, run: Run): void {
  withAccount(command)
    .argument('[addresses...]', 'what to take over: addresses, or globs of addresses')
    .option('--all', 'everything that was changed outside since the last apply')
    .option('--auto-approve', 'write without asking')
    .option(
      '--values <address-glob>',
      'write the values of these variables, although they may be secrets; repeatable',
      collect,
    )
    .option('--new <address-glob>', 'declare what is there and that nobody declares; repeatable', collect)
    .action((addresses: string[], options: Options) =>
      new Accepting(provider, options, addresses, terminalFor(run, options)).run(),
    );
}

class Accepting {
  readonly #provider: Provider;
  readonly #options: Options;
  readonly #addresses: string[];
  readonly #terminal: Terminal;
  readonly #additions = new Set<Address>();
  readonly #notAdded: string[] = [];

  constructor(provider: Provider, options: Options, addresses: string[], terminal: Terminal) {
    this.#provider = provider;
    this.#options = options;
    this.#addresses = addresses;
    this.#terminal = terminal;
  }

  async run(): Promise<void> {
    this.#checkOptions();
    const loaded = await loadFor(this.#provider, this.#options, this.#terminal);
    const session = await openSession(this.#provider, this.#options, this.#terminal, { loaded });
    try {
      // The proof is made on what was read the first time.
      session.connection = { ...session.connection, send: readCache(session.connection.send).send };
      await this.#accept(session);
    } finally {
      await session.close();
    }
  }

  #checkOptions(): void {
    const { all, new: added = [], file = [] } = this.#options;
    if (file.includes(standardInput))
      throw new Problems([
        problem('accept/input', 'standard input cannot be written to', { hint: 'name the files: -f PATH' }),
      ]);
    if (all && this.#addresses.length > 0)
      throw new Problems([problem('cli/options', '--all and addresses exclude each other')]);
    if (!all && this.#addresses.length === 0 && added.length === 0)
      throw new Problems([
        problem('accept/nothing-named', 'nothing says what to take over', {
          hint: "name it: trueup accept 'projects/web/**', or take all that was changed outside: trueup accept --all",
        }),
      ]);
  }

  async #accept(session: Session): Promise<void> {
    const terminal = this.#terminal;
    const planned = await openPlan(session, this.#planning());
    const { plan } = planned;
    const broken = plan.diagnostics.filter(({ code }) => code === 'observe/incomplete');
    terminal.err(diagnosticsText(broken, { style: terminal.errStyle }));
    this.#refuseUnmatched(session, planned);
    await this.#findAdditions(session, planned);
    const allowed = await this.#allowedValues(session, planned);
    const result = this.#accepted(session, planned, allowed);
    const orders = this.#orders(session, planned);
    this.#tell(result, orders.left);
    if (result.unplaced.length > 0)
      throw new Problems(
        result.unplaced.map(({ addresses, why }) =>
          problem('accept/unplaced', `${addresses.join(', ')}: ${why}`, {
            hint: 'write it by hand; nothing was written',
          }),
        ),
      );
    if (result.files.length === 0 && orders.taken.length === 0) {
      terminal.err(
        driftCount(plan) === 0
          ? 'Nothing was changed outside since the last apply.'
          : 'Nothing is taken over.',
      );
      return;
    }
    const next = await this.#written(session, result.files, orders.taken);
    const paths = new Map(result.paths);
    for (const [address, { meta }] of next.configuration.desired.resources)
      if (this.#additions.has(address) || (meta.existing && !session.desired.resources.has(address)))
        paths.set(address, new Set(['']));
    for (const { addresses } of orders.taken)
      for (const address of addresses) paths.set(address, new Set([...(paths.get(address) ?? []), order]));
    await this.#prove(session, planned, next, paths);
    terminal.out(this.#diff(session.configuration, next, allowed));
    if (!(await this.#agreed(next.files))) return;
    await writeAll(next.files);
    terminal.err(`Wrote ${next.files.map(({ name }) => name).join(', ')}.`);
  }

  /** What is asked to be declared is read as well. */
  #planning(): OpenPlanOptions {
    const { new: globs } = this.#options;
    const options = planningOf(this.#options as PlanningOptions, this.#terminal.run.host);
    return globs ? { ...options, also: (kind, parent) => isOnTheWay(kind, parent, globs) } : options;
  }

  /** What is there, is asked for, and belongs to nobody; what another stack owns is told. */
  async #findAdditions(session: Session, { plan, live }: Planned): Promise<void> {
    const { new: globs = [] } = this.#options;
    const isNew = globs.length > 0 ? matcherOf(globs) : () => false;
    const isNamed = matcherOf(this.#addresses);
    const made = plan.changes
      .filter(({ exclusive, action }) => exclusive && action === 'delete')
      .filter(
        ({ address }) =>
          isNew(address) || this.#options.all || (this.#addresses.length > 0 && isNamed(address)),
      );
    const found = [
      ...plan.unmanaged.filter(({ address }) => isNew(address)),
      ...made.map(({ address, kind, id = '' }) => ({ address, kind, id })),
    ];
    const ownerOf = ownersIn(await session.others, session.kinds);
    for (const { address, kind, id } of found) {
      const owner = ownerOf({ kind, address, ids: id.split(',') });
      if (owner !== undefined) this.#notAdded.push(`${address} is owned by the stack ${owner}`);
      else if (session.desired.resources.has(address) || !live.resources.has(address))
        this.#notAdded.push(
          `${address}: a part of it is declared; name it without --new, or write the rest by hand`,
        );
      else this.#additions.add(address);
    }
    const wrong = unmatched(globs, [
      ...found.map(({ address }) => address),
      ...session.desired.resources.keys(),
    ]);
    if (wrong.length > 0) throw new Problems(wrong);
  }

  /** The orders that are taken over, and those of which nobody can tell who changed them. */
  #orders({ kinds, configuration: { desired } }: Session, { plan, live }: Planned) {
    const all = ordersIn(plan.changes, { desired, live, kinds });
    const matches = matcherOf(this.#addresses);
    const isTaken = ({ addresses }: NewOrder) => this.#addresses.length > 0 && addresses.some(matches);
    return {
      taken: all.filter(isTaken),
      left: this.#options.all ? all : [],
    };
  }

  /** The configuration of the new texts. Throws `Problems` where they cannot be read, or a list cannot be put in order. */
  async #written(session: Session, files: ChangedFile[], orders: NewOrder[]): Promise<Written> {
    const first = { files, configuration: await this.#loaded(session, files) };
    if (orders.length === 0) return first;
    const { files: moved, refused } = reorder(orders, first.configuration.written, session.kinds);
    if (refused.length > 0)
      throw new Problems(
        refused.map(({ addresses }) =>
          problem(
            'accept/order',
            `the order of ${addresses.join(', ')} cannot be written: they do not stand in one list`,
            {
              hint: 'write it by hand; nothing was written',
            },
          ),
        ),
      );
    const all = new Map(files.map((file) => [file.path, file]));
    for (const file of moved)
      all.set(file.path, { ...file, before: all.get(file.path)?.before ?? file.before });
    return { files: [...all.values()], configuration: await this.#loaded(session, [...all.values()]) };
  }

  async #loaded({ sources }: Session, files: ChangedFile[]): Promise<Configuration> {
    const texts = new Map(files.map(({ path, after }) => [path, after]));
    const configuration = await load({
      ...loadOptions(this.#provider, this.#options, this.#terminal.run),
      sources,
      texts,
    });
    const { diagnostics, notAllowed } = configuration;
    const wrong = [...diagnostics, ...notAllowed].filter(({ severity }) => severity === 'error');
    if (wrong.length > 0)
      throw unproven(wrong.map(({ message, at }) => `${message}${at ? ` (${at.file}:${at.line})` : ''}`));
    return configuration;
  }

  #refuseUnmatched({ desired }: Session, { plan }: Planned): void {
    const known = [...desired.resources.keys(), ...plan.changes.map(({ address }) => address)];
    const wrong = unmatched(this.#addresses, [...known, ...plan.unmanaged.map(({ address }) => address)]);
    if (wrong.length > 0) throw new Problems(wrong);
  }

  #accepted(session: Session, { plan, live }: Planned, allowed: ReadonlySet<string>): AcceptResult {
    const isNamed = this.#addresses.length > 0;
    const matches = matcherOf(this.#addresses);
    const { kinds, configuration } = session;
    const { desired, written } = configuration;
    return accept(
      { plan, desired, live, written, kinds, additions: this.#additions, isTaken: isTakenOn(session.host) },
      {
        isNamed,
        isChosen: (address) => (isNamed ? matches(address) : this.#options.all === true),
        mayWrite: (address, path) => allowed.has(`${address} ${path}`),
      },
    );
  }

  /** The values that may be secrets, and are written nevertheless: named by a flag, or each confirmed by somebody. */
  async #allowedValues(session: Session, planned: Planned): Promise<Set<string>> {
    const allowed = new Set<string>();
    const { doubtful } = this.#accepted(session, planned, allowed);
    const { values = [], autoApprove } = this.#options;
    const isNamed = matcherOf(values);
    for (const { address, path } of doubtful) {
      const mayWrite =
        isNamed(address) ||
        (!autoApprove &&
          this.#terminal.canAsk &&
          (await this.#terminal.ask(
            `Write \`${path}\` of ${address} into the configuration, where everybody can read it? It may be a secret. Only \`yes\` is a yes: `,
          )) === 'yes');
      if (mayWrite) allowed.add(`${address} ${path}`);
    }
    return allowed;
  }

  #tell({ left, doubtful, said, exported }: AcceptResult, orders: NewOrder[]): void {
    const lines = [
      ...said,
      ...this.#notAdded,
      ...(exported?.notes ?? []),
      ...[...(exported?.uses ?? [])].map(
        ([name, [use]]) => `${use}: its value is not written; set ${exportedEnv(name)} where this is applied`,
      ),
      ...doubtful.map(
        ({ address, path }) =>
          `${address}: \`${path}\` was changed, and is not written, since it may be a secret: --values '${address}'`,
      ),
      ...left.map(({ address, why }) => `${address}: ${why}`),
      ...orders.map(
        ({ addresses: [first] }) =>
          `${first}: the order of its list differs, and nobody can tell who changed it: trueup accept '${first}'`,
      ),
    ];
    if (lines.length > 0) this.#terminal.err(lines.join('\n'));
  }

  /** Plans the new texts against the account as it was read. Throws `Problems` where that finds more than nothing. */
  async #prove(session: Session, planned: Planned, { configuration }: Written, paths: Paths): Promise<void> {
    const { desired } = configuration;
    const proof = await openPlan({ ...session, desired }, this.#planning());
    const wrong = disproved(
      { plan: planned.plan, desired: session.desired },
      { plan: proof.plan, desired },
      paths,
    );
    if (wrong.length > 0) throw unproven(wrong);
  }

  /** The difference, without the secrets that stand in clear in a file, or do from now on. */
  #diff(
    before: Configuration,
    { files, configuration: after }: Written,
    allowed: ReadonlySet<string>,
  ): string {
    const now = masksOf(after);
    for (const { block, units } of after.written.blocks)
      for (const { key, value } of block.own)
        if (units.some(({ address }) => allowed.has(`${address} ${key.text}`)))
          now.set(value.at.source.file, [
            ...(now.get(value.at.source.file) ?? []),
            { start: value.at.start, end: value.at.end, text: '(secret)' },
          ]);
    const old = masksOf(before);
    return files
      .map(({ name, ...file }) =>
        textDiff(edited(file.before, apart(old.get(name))), edited(file.after, apart(now.get(name))), {
          from: name,
          to: name,
        }),
      )
      .join('\n');
  }

  #agreed(files: ChangedFile[]): Promise<boolean> | boolean {
    if (this.#options.autoApprove) return true;
    return isYes(this.#terminal, {
      question: `\nWrite ${count(files.length, 'file')}?`,
      no: 'Nothing was written.',
      unattended: problem('accept/unattended', 'there is nobody to ask, so nothing was written', {
        hint: 'pass --auto-approve where the difference is looked at later, as in a pull request',
      }),
    });
  }
}

/** New texts, and the configuration that they are. */
interface Written {
  files: ChangedFile[];
  configuration: Configuration;
}

const unproven = (wrong: string[]): Problems =>
  new Problems(
    wrong.map((message) =>
      problem('accept/unproven', message, {
        hint: 'nothing was written; take over something else, or write it by hand',
      }),
    ),
  );

/** What is secret in the texts of a configuration, by file. */
const masksOf = ({ written }: Configuration): Map<string, TextEdit[]> =>
  new Map(
    written.files.map(({ source }) => [
      source.file,
      source.masked().map(([start, end]) => ({ start, end, text: '(secret)' })),
    ]),
  );

/** Stretches without those that lie in others. */
const apart = (masks: TextEdit[] = []): TextEdit[] =>
  masks.filter(
    (one, at) =>
      !masks.some(
        (other, index) =>
          index !== at &&
          other.start <= one.start &&
          one.end <= other.end &&
          (other.end - other.start > one.end - one.start || index < at),
      ),
  );

/** Writes all files or none. Throws `Problems`. */
async function writeAll(files: ChangedFile[]): Promise<void> {
  const found = await Promise.all(files.map(async (file) => ({ ...file, bytes: await currentBytes(file) })));
  const written: typeof found = [];
  try {
    for (const file of found) {
      written.push(file);
      await writeFileAtomic(file.path, bytesOf(file.after, file.bytes));
    }
  } catch (error) {
    for (const { path, bytes } of written) await writeFileAtomic(path, bytes).catch(() => {});
    throw new Problems([
      problem('accept/unwritable', `${written.at(-1)!.name} cannot be written: ${(error as Error).message}`, {
        hint: 'all files are as they were',
      }),
    ]);
  }
}

/** What is on disk, which has to be what was read. */
async function currentBytes({ path, name, before }: ChangedFile): Promise<Buffer> {
  try {
    await access(path, constants.W_OK);
  } catch (error) {
    throw new Problems([
      problem('accept/unwritable', `${name} cannot be written: ${(error as Error).message}`, {
        hint: 'nothing was written',
      }),
    ]);
  }
  const bytes = await readFile(path);
  if (!bytes.equals(Buffer.from(bytesOf(before, bytes))))
    throw new Problems([
      problem('accept/changed', `${name} has changed while this was decided`, {
        hint: 'run it again; nothing was written',
      }),
    ]);
  return bytes;
}

/** A text with the byte order mark that the file has. */
const bytesOf = (text: string, bytes: Buffer): string =>
  bytes.subarray(0, 3).equals(Buffer.from('\ufeff')) ? `\ufeff${text}` : text;
