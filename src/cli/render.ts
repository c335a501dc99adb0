import type { Command } from 'commander';
import { createLoadOptions, loadConfiguration, loadStages } from '../app/session/load-configuration.ts';
import { sourcesFor } from '../app/session/sources-for.ts';
import type { StackOptions } from '../app/stack-options.ts';
import { extractCommit } from '../app/undoing/load-configuration-at.ts';
import type { WrittenConfiguration } from '../config/configuration.ts';
import { load } from '../config/load.ts';
import { isAtOrBelowMatch, render } from '../config/render/render.ts';
import { openSources } from '../config/sources/sources.ts';
import type { Provider } from '../kind/provider.ts';
import { createAddressMatcher } from '../model/address-glob.ts';
import { hasErrors, Problems } from '../model/diagnostic.ts';
import { createUnmatchedGlobProblems } from '../plan/select-changes.ts';
import { diagnosticsText } from '../report/diagnostics-text.ts';
import { textDiff } from '../report/value-diff.ts';
import type { CommandRun } from './command-run.ts';
import { exitCodes } from './exit-codes.ts';
import { withConfiguration, withSources } from './options.ts';
import { type Terminal, terminalFor } from './terminal.ts';

interface RenderOptions extends StackOptions {
  origins?: boolean;
  diff?: string;
  diffStage?: string;
  detailedExitcode?: boolean;
}

export function renderCommand(command: Command, provider: Provider, run: CommandRun): void {
  withSources(withConfiguration(command))
    .argument('[addresses...]', 'only these addresses or globs, and everything below')
    .option('--origins', 'show after each value where it is written')
    .option('--diff <ref>', 'compare with a commit, including its data files')
    .option('--diff-stage <stage>', 'compare with another stage')
    .option('--detailed-exitcode', 'exit with 2 if there is a difference')
    .action(async (addresses: string[], options: RenderOptions) => {
      const terminal = terminalFor(run, options);
      const rendering = new Rendering(provider, options, addresses, terminal);
      if (options.diff !== undefined && options.diffStage !== undefined)
        throw new Problems('cli/options', '--diff and --diff-stage exclude each other');
      if (options.diff !== undefined) await rendering.sinceCommit(options.diff);
      else if (options.diffStage !== undefined) await rendering.betweenStages(options.diffStage);
      else terminal.out((await rendering.all()).trimEnd());
    });
}

class Rendering {
  readonly #provider: Provider;
  readonly #options: RenderOptions;
  readonly #addresses: string[];
  readonly #terminal: Terminal;
  /** The signs for secret texts in a comparison, the same on both sides. No output has one. */
  readonly #signs = new Map<string, string>();

  constructor(provider: Provider, options: RenderOptions, addresses: string[], terminal: Terminal) {
    this.#provider = provider;
    this.#options = options;
    this.#addresses = addresses;
    this.#terminal = terminal;
  }

  /** The stage that was asked for; of a configuration with stages, and none asked for, all of them in turn. */
  async all(): Promise<string> {
    const texts: string[] = [];
    for (const { load } of await loadStages(...this.#loading(this.#options)))
      texts.push(this.#text(this.#looked(await load())));
    return texts.join('---\n');
  }

  async sinceCommit(ref: string): Promise<void> {
    const now = await this.all();
    const before = await this.#at(ref);
    this.#show(before, now, ref, 'now');
  }

  async betweenStages(other: string): Promise<void> {
    if (this.#options.stage === undefined)
      throw new Problems('cli/options', '--diff-stage compares the stage of --stage with another one', {
        hint: `trueup render --stage staging --diff-stage ${other}`,
      });
    const before = this.#text(await this.#load({ ...this.#options, stage: other }));
    this.#show(before, this.#text(await this.#load(this.#options)), other, this.#options.stage);
  }

  #isComparison(): boolean {
    return this.#options.diff !== undefined || this.#options.diffStage !== undefined;
  }

  #text(configuration: WrittenConfiguration): string {
    const { resources } = configuration.desired;
    const nothing = createUnmatchedGlobProblems(this.#addresses, [
      ...resources.keys(),
      ...above(resources.keys()),
    ]);
    if (nothing.length > 0) throw new Problems(nothing);
    return this.#rendered(configuration);
  }

  #rendered(configuration: WrittenConfiguration): string {
    return render(configuration, {
      // A place that moved is no difference.
      ...(this.#options.origins && !this.#isComparison() ? { origins: true } : {}),
      secret: this.#isComparison() ? (text: string) => `(secret${this.#sign(text)})` : undefined,
      keep: this.#addresses.length > 0 ? isAtOrBelowMatch(createAddressMatcher(this.#addresses)) : undefined,
    });
  }

  #loading(options: RenderOptions): Parameters<typeof loadConfiguration> {
    const { run } = this.#terminal;
    return [this.#provider, options, run, { sources: sourcesFor(options, run.host), isLook: true }];
  }

  async #load(options: RenderOptions): Promise<WrittenConfiguration> {
    return this.#looked(await loadConfiguration(...this.#loading(options)));
  }

  #looked(configuration: WrittenConfiguration): WrittenConfiguration {
    const { diagnostics, notAllowed } = configuration;
    // What could not be read would be missing from what is printed.
    if (notAllowed.length > 0) throw new Problems([...diagnostics, ...notAllowed]);
    this.#terminal.say(diagnosticsText(diagnostics, { style: this.#terminal.errStyle }));
    return configuration;
  }

  /** The text at a commit; none where there was no configuration yet. */
  async #at(ref: string): Promise<string> {
    const { run } = this.#terminal;
    const { host } = run;
    const files = await extractCommit(ref, host);
    try {
      const sources = openSources({ env: host.env, cwd: files.cwd, tracking: files.tracking });
      const at = (stage: string | undefined) =>
        load({
          ...createLoadOptions(
            this.#provider,
            { ...this.#options, ...(stage === undefined ? {} : { stage }) },
            run,
          ),
          cwd: files.cwd,
          sources,
        });
      const first = await at(this.#options.stage);
      const stages = this.#options.stage === undefined ? first.stages : [];
      const writtenConfigurations = stages.length > 0 ? await Promise.all(stages.map(at)) : [first];
      const wrong = writtenConfigurations.flatMap(({ diagnostics, notAllowed }) => [
        ...diagnostics,
        ...notAllowed,
      ]);
      if (wrong.some(({ code }) => code === 'file/missing')) return '';
      if (hasErrors(wrong)) throw new Problems(wrong);
      return writtenConfigurations
        .map((writtenConfiguration) => this.#rendered(writtenConfiguration))
        .join('---\n');
    } finally {
      await files.remove();
    }
  }

  #sign(text: string): string {
    const sign = this.#signs.get(text) ?? String.fromCodePoint(0xf0000 + this.#signs.size);
    this.#signs.set(text, sign);
    return sign;
  }

  #show(before: string, now: string, from: string, to: string): void {
    if (before === now) {
      this.#terminal.say(`No differences between ${from} and ${to}.`);
      return;
    }
    this.#terminal.out(withoutSigns(textDiff(before, now, { from, to })));
    if (this.#options.detailedExitcode) this.#terminal.run.exitCode = exitCodes.changes;
  }
}

const markedSecret = /\(secret([\u{f0000}-\u{10fffd}])\)/gu;

/** A secret that was not there before is told from the one in its place; which it is, is not. */
function withoutSigns(diff: string): string {
  const lines = diff.split('\n');
  const gone = new Set(
    lines.filter((line) => line.startsWith('-')).flatMap((line) => line.match(markedSecret) ?? []),
  );
  return lines
    .map((line) =>
      line.replace(markedSecret, (one) =>
        line.startsWith('+') && !gone.has(one) ? '(another secret)' : '(secret)',
      ),
    )
    .join('\n');
}

/** The addresses around others: they can be asked for as well. */
function* above(addresses: Iterable<string>): Iterable<string> {
  for (const address of addresses) {
    const parts = address.split('/');
    for (let i = 1; i < parts.length; i++) yield parts.slice(0, i).join('/');
  }
}
