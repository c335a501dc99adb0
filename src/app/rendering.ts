import { allProblemsOf, type WrittenConfiguration } from '../config/configuration.ts';
import { load } from '../config/load.ts';
import { isAtOrBelowMatch, render } from '../config/render/render.ts';
import { extractCommit } from '../git/commits.ts';
import type { Provider } from '../kind/provider.ts';
import type { Address } from '../model/address.ts';
import { type Diagnostic, raiseErrors } from '../model/diagnostic.ts';
import { createAddressMatcher } from '../model/glob.ts';
import { createUnmatchedGlobProblems } from '../plan/unmatched-globs.ts';
import { textDiff } from '../report/value-diff.ts';
import type { Run } from './port.ts';
import {
  createCommitOptions,
  createSources,
  loadConfiguration,
  loadStages,
} from './session/load-configuration.ts';
import type { StackOptions } from './stack-options.ts';

/** The configuration to render, and the form of its text. */
interface RenderingOptions {
  provider: Provider;
  options: StackOptions;
  run: Run;
  /** Addresses or globs: only these objects, and everything below them. Everything if it is empty. */
  addresses: string[];
  /** True for texts that are compared. Secrets get marks then, so that a changed secret is a difference. */
  isCompared: boolean;
  /** True to show after each value where it is written. */
  withOrigins: boolean;
  /** Gets the warnings of each configuration that is loaded. */
  onDiagnostics(diagnostics: readonly Diagnostic[]): void;
}

/**
 * Renders a configuration as YAML without variables, templates and patches, for `trueup render`. Use one instance for all texts that are
 * compared with each other. Each method throws `Problems` for a configuration that is invalid or has values that may not be read.
 */
export class Rendering {
  readonly #input: RenderingOptions;
  /** The mark of each secret text: a character of a private-use area, which configurations do not use. */
  readonly #marks = new Map<string, string>();

  constructor(input: RenderingOptions) {
    this.#input = input;
  }

  /**
   * Renders the current configuration: the stage that the options choose, or without a choice all stages, or without stages the only
   * configuration.
   */
  async renderStages(): Promise<string> {
    const texts: string[] = [];
    for (const stage of await loadStages(...this.#loading(this.#input.options)))
      texts.push(this.#renderChecked(await stage.load()));
    return texts.join('---\n');
  }

  /** Renders one stage for `render --diff-stage`, not necessarily the one that the options choose. */
  async renderStage(stage: string): Promise<string> {
    return this.#renderChecked(await loadConfiguration(...this.#loading({ ...this.#input.options, stage })));
  }

  /**
   * Renders the configuration at a commit, with its data files of that time, for `render --diff REF`. Returns '' if it did not exist yet.
   */
  async renderCommit(ref: string): Promise<string> {
    const { provider, options, run } = this.#input;
    const files = await extractCommit(ref, run.host);
    try {
      const loadOptions = await createCommitOptions(provider, options, run, files);
      const loadStage = (stage: string | undefined) => load({ ...loadOptions, stage });
      const first = await loadStage(options.stage);
      const stages = options.stage === undefined ? first.stages : [];
      const configurations = stages.length > 0 ? await Promise.all(stages.map(loadStage)) : [first];
      const diagnostics = configurations.flatMap(allProblemsOf);
      // A missing file of the configuration itself has no place (`at`), unlike one that a file of the configuration names.
      if (diagnostics.some(({ code, at }) => code === 'file/missing' && !at)) return '';
      raiseErrors(diagnostics);
      return configurations.map((configuration) => this.#render(configuration)).join('---\n');
    } finally {
      await files.remove();
    }
  }

  /** Returns the arguments that load configurations with all their values. Values that may not be read are reported by `#renderChecked`. */
  #loading(options: StackOptions): Parameters<typeof loadConfiguration> {
    const { provider, run } = this.#input;
    return [provider, options, run, { sources: createSources(options, run.host), isOnlyShown: true }];
  }

  /**
   * Renders the present configuration for `trueup render` (not that of an earlier commit) and reports its warnings. Throws `Problems` if an
   * address of the command matches nothing, or if a file or variable may not or cannot be read: the output would lack its value.
   */
  #renderChecked(configuration: WrittenConfiguration): string {
    const { diagnostics, desired } = configuration;
    raiseErrors(allProblemsOf(configuration));
    this.#input.onDiagnostics(diagnostics);
    const addresses = [...desired.resources.keys()];
    // An address may also name an object or a section that only contains declared objects.
    const unmatched = createUnmatchedGlobProblems(this.#input.addresses, [
      ...addresses,
      ...addresses.flatMap(prefixesOf),
    ]);
    raiseErrors(unmatched);
    return this.#render(configuration);
  }

  /** Renders a configuration for `trueup render` without any check, with the addresses and origins that the command's options ask for. */
  #render(configuration: WrittenConfiguration): string {
    const { addresses, isCompared, withOrigins } = this.#input;
    return render(configuration, {
      // A value that only moved to another line is no difference.
      origins: withOrigins && !isCompared,
      secret: isCompared ? (text: string) => `(secret${this.#markOf(text)})` : undefined,
      keep: addresses.length > 0 ? isAtOrBelowMatch(createAddressMatcher(addresses)) : undefined,
    });
  }

  /**
   * Returns the mark that stands for a secret in all texts of this rendering, so that `render --diff` notices a changed secret without
   * showing it. The mark is a character of a private-use area of Unicode, which configurations do not use.
   */
  #markOf(secret: string): string {
    const mark = this.#marks.get(secret) ?? String.fromCodePoint(0xf0000 + this.#marks.size);
    this.#marks.set(secret, mark);
    return mark;
  }
}

/** Returns the addresses of the objects and sections around an address, outermost first, because they may be asked for as well. */
function prefixesOf(address: Address): Address[] {
  const parts = address.split('/');
  return parts.slice(1).map((_, index) => parts.slice(0, index + 1).join('/'));
}

const markedSecret = /\(secret([\u{f0000}-\u{10fffd}])\)/gu;

/**
 * Returns the difference of two texts of one `Rendering`, for `render --diff` and `render --diff-stage`; undefined if they are equal. Both
 * texts contain a mark for each secret. It becomes `(secret)`, or `(another secret)` on an added line if no removed line has the same
 * secret, so that a changed secret is noticed.
 */
export function diffRendered(
  before: string,
  after: string,
  names: { from: string; to: string },
): string | undefined {
  if (before === after) return undefined;
  const lines = textDiff(before, after, names).split('\n');
  const removedSecrets = new Set(
    lines.filter((line) => line.startsWith('-')).flatMap((line) => line.match(markedSecret) ?? []),
  );
  const unmark = (line: string) =>
    line.replace(markedSecret, (secret) =>
      line.startsWith('+') && !removedSecrets.has(secret) ? '(another secret)' : '(secret)',
    );
  return lines.map(unmark).join('\n');
}
