/*
 * Limits how far `$each`, templates and patches can multiply a configuration: a few nested ones could fill the memory or take hours.
 */
import type { Reporter } from '../../model/diagnostic.ts';
import { LimitedCount } from '../growth.ts';
import type { Node } from '../yaml/nodes.ts';
import type { Spot } from '../yaml/source.ts';
import type { Patch } from './layer.ts';

/**
 * The most entries in all sections, with those that templates and `$each` produce: far beyond what people
 * write.
 */
const maxInstances = 250_000;
/** The most blocks that patches may concern, summed over all patches: they match, or have something below that may match. */
const maxPatched = 3_000_000;

/** Thrown after a report, if the configuration multiplies beyond a limit. */
export class LimitExceeded extends Error {}

/** Counts what the layers of one configuration produce. */
export class MergeLimits {
  readonly #report: Reporter;
  readonly #instances = new LimitedCount<Spot>(maxInstances);
  readonly #patched = new LimitedCount<Spot>(maxPatched);

  constructor(report: Reporter) {
    this.#report = report;
  }

  /**
   * Counts entries at a place, also those that `$each` or templates create, because a few nested `$each` can
   * fill the memory. Throws `LimitExceeded` after a report if there are too many in all. The report names the
   * place that creates most of them.
   */
  countInstances(added: number, { at }: Node): void {
    if (this.#instances.allows(at, added)) return;
    const largest = this.#instances.largest();
    this.#report.error(
      'each/too-many',
      `templates and \`$each\` produce more than ${maxInstances} entries; this place produces most of them, ${largest.count}`,
      { at: largest },
    );
    throw new LimitExceeded();
  }

  /**
   * Counts a block that a patch matches, or in which it may match something, because many patches times many
   * blocks could take hours. Throws `LimitExceeded` after a report if there are too many in all. `times`: by
   * how much to count, if the patch makes a block be merged again with that many layers.
   */
  countPatched({ path }: Patch, times = 1): void {
    if (this.#patched.allows(path.at, times)) return;
    const largest = this.#patched.largest();
    this.#report.error(
      'patch/too-many',
      `patches and the blocks they apply to multiply to more than ${maxPatched}; this one has ${largest.count}`,
      { at: largest, hint: 'merge patches with the same `$at`, or use a template' },
    );
    throw new LimitExceeded();
  }
}
