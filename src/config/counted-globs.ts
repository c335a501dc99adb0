import { type Diagnostic, Problems } from '../model/diagnostic.ts';
import { compileGlob, type Glob } from '../model/glob.ts';
import type { GlobRules, Reach } from '../model/glob-automaton.ts';
import { type Growth, maxSteps } from './growth.ts';
import type { Spot } from './yaml/source.ts';

/** How many characters of globs stay compiled. */
const maxCompiledLength = 1_000_000;
/** Compiling one character takes about as long as this many steps of matching. */
const stepsPerCharacter = 20;

/** Steps are reported to `Growth` in portions of this size, because each report takes longer than a match. */
const portion = 1_000;

type Matcher = Pick<Glob, 'matches' | 'reach'>;

interface CountedGlobsOptions {
  growth: Growth;
  diagnostics: Diagnostic[];
  rules?: Partial<GlobRules>;
  /** Called instead of matching once the limit is exceeded. Unless it throws, nothing matches then. */
  whenExceeded?: () => void;
}

/**
 * Compiles the globs of a configuration, each text once, and counts the steps of matching them by the places where they are written. If the
 * sum exceeds its limit, `diagnostics` gets the place that takes most of it.
 */
export class CountedGlobs {
  readonly #options: CountedGlobsOptions;
  readonly #compiled = new Map<string, Glob | { fault: string }>();
  #compiledLength = 0;
  #unreported: { at: Spot; steps: number } | undefined;

  constructor(options: CountedGlobsOptions) {
    this.#options = options;
  }

  /** Returns the matcher of a glob that is written at a place, or the fault of one that is not valid. */
  compileAt(spot: Spot, text: string): Matcher | { fault: string } {
    const glob = this.#compile(text, spot);
    if ('fault' in glob) return glob;
    const { growth, whenExceeded } = this.#options;
    const count =
      <T>(match: (text: string) => T, noMatch: T) =>
      (text: string): T => {
        if (growth.isExceeded) {
          whenExceeded?.();
          return noMatch;
        }
        const stepsBefore = glob.steps;
        const answer = match(text);
        return this.#mayGoOn(spot, 1 + glob.steps - stepsBefore) ? answer : noMatch;
      };
    return { matches: count(glob.matches, false), reach: count<Reach>(glob.reach, 'none') };
  }

  #compile(text: string, spot: Spot): Glob | { fault: string } {
    const compiledGlob = this.#compiled.get(text);
    if (compiledGlob) return compiledGlob;
    this.#compiledLength += text.length;
    if (this.#compiledLength > maxCompiledLength) {
      this.#compiled.clear();
      this.#compiledLength = text.length;
    }
    this.#mayGoOn(spot, text.length * stepsPerCharacter);
    const glob = compileOrFault(text, this.#options.rules);
    this.#compiled.set(text, glob);
    return glob;
  }

  /** Counts steps. False if the limit is exceeded. */
  #mayGoOn(spot: Spot, steps: number): boolean {
    const { growth, diagnostics, whenExceeded } = this.#options;
    if (this.#unreported?.at !== spot) {
      if (this.#unreported) growth.allows(this.#unreported.at, this.#unreported, diagnostics);
      this.#unreported = { at: spot, steps: 0 };
    }
    this.#unreported.steps += steps;
    if (this.#unreported.steps >= portion) {
      growth.allows(spot, this.#unreported, diagnostics);
      this.#unreported.steps = 0;
    }
    if (growth.isExceeded) whenExceeded?.();
    return !growth.isExceeded;
  }
}

function compileOrFault(text: string, rules?: Partial<GlobRules>): Glob | { fault: string } {
  try {
    return compileGlob(text, { ...rules, maxSteps });
  } catch (error) {
    if (error instanceof Problems) return { fault: error.diagnostics[0]!.message };
    throw error;
  }
}
