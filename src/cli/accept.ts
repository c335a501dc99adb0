import { constants } from 'node:fs';
import { access, readFile } from 'node:fs/promises';
import type { Command } from 'commander';
import writeFileAtomic from 'write-file-atomic';
import { type AcceptResult, accept, type ChangedFile } from '../accept/accept.ts';
import { disproved } from '../accept/proof.ts';
import { edited, type TextEdit } from '../accept/text-edit.ts';
import { type Configuration, load } from '../config/load.ts';
import type { Provider } from '../kind/provider.ts';
import { hasErrors, Problems, problem } from '../model/diagnostic.ts';
import { driftCount } from '../model/plan.ts';
import { standardInput } from '../model/resource.ts';
import { matcherOf } from '../plan/matcher-of.ts';
import { unmatched } from '../plan/select.ts';
import { count } from '../report/count.ts';
import { diagnosticsText } from '../report/diagnostics-text.ts';
import { textDiff } from '../report/value-diff.ts';
import { openPlan, type Planned } from '../run/open-plan.ts';
import { readCache } from '../run/read-cache.ts';
import type { Run } from './host.ts';
import { loadOptions } from './load-configuration.ts';
import { collect, type StackOptions, withAccount } from './options.ts';
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
    const { run } = terminal;
    const planned = await openPlan(session, planningOf(this.#options as never, run.host));
    const { plan } = planned;
    const broken = plan.diagnostics.filter(({ code }) => code === 'observe/incomplete');
    terminal.err(diagnosticsText(broken, { style: terminal.errStyle }));
    this.#refuseUnmatched(session, planned);
    const allowed = await this.#allowedValues(session, planned);
    const result = this.#accepted(session, planned, allowed);
    this.#tell(result);
    if (result.unplaced.length > 0)
      throw new Problems(
        result.unplaced.map(({ addresses, why }) =>
          problem('accept/unplaced', `${addresses.join(', ')}: ${why}`, {
            hint: 'write it by hand; nothing was written',
          }),
        ),
      );
    if (result.files.length === 0) {
      terminal.err(
        driftCount(plan) === 0
          ? 'Nothing was changed outside since the last apply.'
          : 'Nothing is taken over.',
      );
      return;
    }
    await this.#prove(session, planned, result);
    const shown = this.#accepted(session, planned, allowed, '(not shown)');
    terminal.out(this.#diff(session.configuration, shown));
    if (!(await this.#agreed(result))) return;
    await writeAll(result.files);
    terminal.err(`Wrote ${result.files.map(({ name }) => name).join(', ')}.`);
  }

  #refuseUnmatched({ desired }: Session, { plan }: Planned): void {
    const known = [...desired.resources.keys(), ...plan.changes.map(({ address }) => address)];
    const wrong = unmatched(this.#addresses, [...known, ...plan.unmanaged.map(({ address }) => address)]);
    if (wrong.length > 0) throw new Problems(wrong);
  }

  #accepted(session: Session, { plan }: Planned, allowed: ReadonlySet<string>, mask?: string): AcceptResult {
    const isNamed = this.#addresses.length > 0;
    const matches = matcherOf(this.#addresses);
    const { kinds, configuration } = session;
    const { desired, written } = configuration;
    return accept(
      { plan, desired, written, kinds },
      {
        isNamed,
        isChosen: (address) => (isNamed ? matches(address) : this.#options.all === true),
        mayWrite: (address, path) => allowed.has(`${address} ${path}`),
        ...(mask === undefined ? {} : { mask }),
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

  #tell({ left, doubtful, said }: AcceptResult): void {
    const lines = [
      ...said,
      ...doubtful.map(
        ({ address, path }) =>
          `${address}: \`${path}\` was changed, and is not written, since it may be a secret: --values '${address}'`,
      ),
      ...left.map(({ address, why }) => `${address}: ${why}`),
    ];
    if (lines.length > 0) this.#terminal.err(lines.join('\n'));
  }

  /** Plans the new texts against the account as it was read. Throws `Problems` where that finds more than nothing. */
  async #prove(session: Session, planned: Planned, { files, paths }: AcceptResult): Promise<void> {
    const { run } = this.#terminal;
    const texts = new Map(files.map(({ path, after }) => [path, after]));
    const configuration = await load({
      ...loadOptions(this.#provider, this.#options, run),
      sources: session.sources,
      texts,
    });
    const { diagnostics, notAllowed, desired } = configuration;
    const wrong = [...diagnostics, ...notAllowed].filter(({ severity }) => severity === 'error');
    const problems = hasErrors(wrong)
      ? wrong.map(({ message, at }) => `${message}${at ? ` (${at.file}:${at.line})` : ''}`)
      : disproved(
          planned,
          await openPlan({ ...session, desired }, planningOf(this.#options as never, run.host)),
          paths,
        );
    if (problems.length > 0)
      throw new Problems(
        problems.map((message) =>
          problem('accept/unproven', message, {
            hint: 'nothing was written; take over something else, or write it by hand',
          }),
        ),
      );
  }

  /** The difference, without the secrets that stand in clear in a file. */
  #diff({ written }: Configuration, { files }: AcceptResult): string {
    return files
      .map(({ path, name, before, edits }) => {
        const source = written.files.find((file) => file.path === path)!.source;
        const masks = source.masked().map(([start, end]): TextEdit => ({ start, end, text: '(secret)' }));
        const apart = masks.filter(
          ({ start, end }) => !edits.some((edit) => edit.start < end && start < edit.end),
        );
        return textDiff(edited(before, masks), edited(before, [...edits, ...apart]), {
          from: name,
          to: name,
        });
      })
      .join('\n');
  }

  #agreed({ files }: AcceptResult): Promise<boolean> | boolean {
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
