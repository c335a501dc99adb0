/**
 * Matches the globs of a configuration within a limit of steps, because many globs times many addresses could take hours. Also checks the
 * globs of `owns`, and which resources they cover.
 */

import { normalAddressGlob } from '../kind/address-spelling.ts';
import type { Kinds } from '../kind/kind.ts';
import { type Diagnostic, Problems, problem, Reporter } from '../model/diagnostic.ts';
import { listFirst } from '../model/fold-wordings.ts';
import { compileGlob, createAddressMatcher, type Glob, globFault } from '../model/glob.ts';
import type { GlobRules, Reach } from '../model/glob-automaton.ts';
import { globHint } from '../model/glob-syntax.ts';
import type { Resource } from '../model/resource.ts';
import { type Growth, maxSteps } from './growth.ts';
import type { ScalarNode } from './yaml/nodes.ts';
import type { Spot } from './yaml/source.ts';

/** How many characters of globs stay compiled. */
const maxCompiledLength = 1_000_000;
/** Compiling one character takes about as long as this many steps of matching. */
export const stepsPerCharacter = 20;

/** Steps are reported to `Growth` in portions of at least this size, because each report takes longer than a match. */
const reportedPortion = 1_000;

type Matcher = Pick<Glob, 'matches' | 'reach'>;

interface CountedGlobsOptions {
  growth: Growth;
  report: Reporter;
  rules?: Partial<GlobRules>;
  /** Called instead of matching once the limit is exceeded. If it does not throw, all globs match nothing from then on. */
  whenExceeded?: () => void;
}

/**
 * Compiles the globs of a configuration, each text once, and counts the steps of matching them by the places where they are written. Once
 * the sum exceeds the limit, `report` gets a problem at the place with the most steps.
 */
export class CountedGlobs {
  readonly #options: CountedGlobsOptions;
  readonly #compiled = new Map<string, Glob | { fault: string }>();
  #compiledLength = 0;
  #unreported: { at: Spot; steps: number } | undefined;

  constructor(options: CountedGlobsOptions) {
    this.#options = options;
  }

  /**
   * Returns functions that match texts with a glob (see `Glob`), or the fault of the glob. They count their steps for `spot`, the place
   * where the glob is written: many globs times many addresses could take hours, so `growth` limits the steps, and the message names the
   * place with the most. Once the limit is exceeded, they call `whenExceeded`, and match nothing if that does not throw.
   */
  compileAt(spot: Spot, text: string): Matcher | { fault: string } {
    const glob = this.#compile(text, spot);
    if ('fault' in glob) return glob;
    const { growth, whenExceeded } = this.#options;
    /** Returns a function which matches and counts its steps. It returns `noMatch` once the limit is exceeded. */
    const counted =
      <T>(match: (text: string) => T, { noMatch }: { noMatch: T }) =>
      (text: string): T => {
        if (growth.isExceeded) {
          whenExceeded?.();
          return noMatch;
        }
        const stepsBefore = glob.steps;
        const answer = match(text);
        const isWithinLimit = this.#countSteps(spot, 1 + glob.steps - stepsBefore);
        return isWithinLimit ? answer : noMatch;
      };
    return {
      matches: counted(glob.matches, { noMatch: false }),
      reach: counted<Reach>(glob.reach, { noMatch: 'none' }),
    };
  }

  /**
   * Returns a glob that is ready to match, or its fault. Equal texts are compiled once, because uses of a
   * template repeat them; all are forgotten when they take too much memory. `spot`: the place of the glob,
   * for which compiling counts as steps, since the time for globs is limited.
   */
  #compile(text: string, spot: Spot): Glob | { fault: string } {
    const compiledGlob = this.#compiled.get(text);
    if (compiledGlob) return compiledGlob;
    this.#compiledLength += text.length;
    if (this.#compiledLength > maxCompiledLength) {
      this.#compiled.clear();
      this.#compiledLength = text.length;
    }
    this.#countSteps(spot, text.length * stepsPerCharacter);
    const glob = compileOrFault(text, this.#options.rules);
    this.#compiled.set(text, glob);
    return glob;
  }

  /**
   * Counts steps of matching globs for a place in the YAML, so that a configuration cannot make the program slow. Returns false if the
   * configuration exceeds the limit (`growth`), unless `whenExceeded` throws. The steps are passed on to `growth` in portions, because each
   * call there takes longer than a match. A smaller rest is passed on at the next place. The last rest is too small to matter.
   */
  #countSteps(spot: Spot, steps: number): boolean {
    const { growth, report, whenExceeded } = this.#options;
    if (this.#unreported?.at !== spot) {
      if (this.#unreported) growth.allows(this.#unreported.at, this.#unreported, report);
      this.#unreported = { at: spot, steps: 0 };
    }
    this.#unreported.steps += steps;
    if (this.#unreported.steps >= reportedPortion) {
      growth.allows(spot, this.#unreported, report);
      this.#unreported.steps = 0;
    }
    if (growth.isExceeded) whenExceeded?.();
    return !growth.isExceeded;
  }
}

/**
 * Returns a compiled glob, or the fault of an invalid one, so that the caller can report it at its place.
 * Throws other errors.
 */
function compileOrFault(text: string, rules?: Partial<GlobRules>): Glob | { fault: string } {
  try {
    return compileGlob(text, { ...rules, maxSteps });
  } catch (error) {
    if (error instanceof Problems) return { fault: error.diagnostics[0]!.message };
    throw error;
  }
}

/**
 * Returns the problem with a glob that is not valid, at its place in the YAML; empty if it is valid. Called where `owns` and workspaces are
 * read, because the place is unknown later, when the globs are applied.
 */
export function checkGlob({ text, at }: ScalarNode): Diagnostic[] {
  const fault = globFault(text);
  return fault === undefined ? [] : [problem('glob/syntax', fault, { at, hint: globHint })];
}

/** The globs of one `owns` (in the header or the workspace), if there is one, and the place of the list. */
interface OwnsList {
  owns: readonly string[] | undefined;
  at: Spot;
}

/**
 * Returns a problem for each declared resource that some `owns` does not cover: globs of the addresses that a
 * stack may declare, from the configuration and from the workspace. In a repository of several teams, such a
 * resource is usually a mistake. Resources with `$existing` may be outside, because the stack
 * does not manage them. `growth`: limits the time for matching; if that is exceeded here, the result is only
 * that problem; if it was exceeded and reported before, the result is empty.
 */
export function checkOwnedAddresses(
  ownsLists: readonly OwnsList[],
  resources: Iterable<Resource>,
  { kinds, growth }: { kinds: Kinds; growth: Growth },
): Diagnostic[] {
  const report = new Reporter();
  const globs = new CountedGlobs({ growth, report });
  const declared = [...resources].filter(({ meta }) => !meta.existing);
  const compile = (spot: Spot) => (text: string) => {
    const glob = globs.compileAt(spot, text);
    // `owns` was checked when it was read (`checkGlob`). For a glob that is not valid, `compileGlob` throws.
    return 'fault' in glob ? compileGlob(text) : glob;
  };
  const problems = ownsLists.flatMap(({ owns, at }) => {
    if (!owns) return [];
    // Match all addresses with one glob before the next, because a glob caches the common beginnings of addresses.
    const uncovered = owns.reduce((resources, glob) => {
      const isCovered = createAddressMatcher([normalAddressGlob(glob, kinds)], compile(at));
      return resources.filter(({ address }) => !isCovered(address));
    }, declared);
    return growth.isExceeded ? [] : problemsOutside(owns, uncovered);
  });
  return growth.isExceeded ? report.diagnostics : problems;
}

/**
 * Returns a problem for each resource that the globs in `owns`, the addresses that a stack may declare, do
 * not cover. Many such problems are shown as one, with the words in `alike`.
 */
function problemsOutside(owns: readonly string[], uncovered: readonly Resource[]): Diagnostic[] {
  const globList = formatOwns(owns);
  const hintFor = (pronoun: string) =>
    `\`owns\` says ${globList}; declare ${pronoun} in the owning stack, or extend \`owns\``;
  const alike = {
    cause: owns.join('\n'),
    are: 'resources are outside what this stack may own',
    hint: hintFor('them'),
  };
  return uncovered.map(({ address, at }) =>
    problem('stack/outside', `${address} is outside what this stack may own`, {
      address,
      at,
      hint: hintFor('it'),
      alike,
    }),
  );
}

const maxListed = 12;

/**
 * Returns the globs of `owns`, the addresses that a stack may declare, for the hint about a resource outside
 * of them. Shortened, because the hint must stay readable.
 */
function formatOwns(owns: readonly string[]): string {
  if (owns.length === 0) return 'nothing';
  return listFirst(
    owns.map((glob) => `\`${glob}\``),
    maxListed,
  );
}
