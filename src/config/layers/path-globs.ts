import { normalAddressGlob } from '../../kind/address-spelling.ts';
import type { Kinds } from '../../kind/kind.ts';
import type { Address } from '../../model/address.ts';
import type { Reporter } from '../../model/diagnostic.ts';
import type { Glob } from '../../model/glob.ts';
import { globHint } from '../../model/glob-syntax.ts';
import { CountedGlobs } from '../counted-globs.ts';
import type { Globals } from '../expressions/scope.ts';
import type { Node } from '../yaml/nodes.ts';
import { createPathGlob, type PathGlob } from './layer.ts';
import { LimitExceeded } from './merge-limits.ts';

const matchesNothing: Pick<Glob, 'matches' | 'reach'> = { matches: () => false, reach: () => 'none' };

/** The paths of all `$at` and `$drop` of a configuration. Globs are matched within a limit of steps, and exceeding it ends the merge. */
export class PathGlobs {
  /** By the node that contains the path. */
  readonly byNode = new Map<Node, PathGlob>();
  readonly #kinds: Kinds;
  readonly #report: Reporter;
  readonly #globs: CountedGlobs;
  readonly #normalPaths = new Map<string, string>();

  /**
   * Creates the paths of all `$at` and `$drop` of one configuration, which say where patches apply and where blocks remove something.
   * `globals`: the scope with the limit of steps for matching them (`growth`). Matching throws `LimitExceeded` beyond it, and the merge of
   * the configuration ends.
   */
  constructor(kinds: Kinds, globals: Globals, report: Reporter) {
    this.#kinds = kinds;
    this.#report = report;
    this.#globs = new CountedGlobs({
      growth: globals.growth,
      report,
      whenExceeded: () => {
        throw new LimitExceeded();
      },
    });
  }

  /**
   * Returns the path of a `$at` or `$drop` with its names spelled as in addresses, with which it is compared.
   * Cached, because many uses of a template share one path.
   */
  #normalPath(text: string): string {
    const normalPath = this.#normalPaths.get(text) ?? normalAddressGlob(text, this.#kinds);
    this.#normalPaths.set(text, normalPath);
    return normalPath;
  }

  /**
   * Returns the object for a path that is written in a `$at` or `$drop`. It finds the matching blocks, and
   * remembers if there were any, so that a path that never matches can be reported. A template that is used
   * several times creates several paths from one `node`; these share one status, because each may match in
   * another block. `start`: for a `$drop`, the address of its block, where the path begins.
   */
  add(text: string, node: Node, start?: Address): PathGlob {
    const otherInstance = this.byNode.get(node);
    const glob = this.#globs.compileAt(node.at, this.#normalPath(text));
    const isInvalid = 'fault' in glob;
    if (isInvalid && !otherInstance)
      this.#report.error('glob/syntax', glob.fault, { at: node, hint: globHint });
    // An invalid path matches nothing. That is not reported as a second problem.
    const status = otherInstance?.status ?? { hasMatched: isInvalid };
    const path = createPathGlob({ text, at: node.at, status }, isInvalid ? matchesNothing : glob, start);
    if (!otherInstance) this.byNode.set(node, path);
    return path;
  }
}
