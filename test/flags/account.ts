import { onTestFinished } from 'vitest';
import type { Seed, Switches } from '../../providers/hosting/twin/index.ts';
import { World } from '../support/world.ts';

export type SeedFlags = NonNullable<NonNullable<Seed['projects']>[number]['featureFlags']>;

export const answer = (variantId: string) => ({ type: 'variant', variantId }) as const;
export const environment = <T extends object>(more: T = {} as T) => ({
  active: true,
  pausedOutcome: answer('off'),
  fallthrough: answer('on'),
  ...more,
});
const variants = [
  { id: 'off', value: false },
  { id: 'on', value: true },
];

/** A block of a flag with all three environments; `production` and `more` over it. */
export const flag = (production: object = {}, more: object = {}) => ({
  kind: 'boolean',
  variants,
  environments: {
    production: environment(production),
    preview: environment(),
    development: environment(),
  },
  ...more,
});
export const segment = (data: object = {}) => ({ label: 'L', hint: 'H', data });

/** A rule that looks at a segment of the project `web`. */
export const ruleOn = (slug: string) => ({
  id: 'r1',
  conditions: [{ lhs: { type: 'segment' }, cmp: 'eq', rhs: `\${projects.web.segments.${slug}.id}` }],
  outcome: answer('on'),
});

const yaml = (blocks: object) => `projects: ${JSON.stringify({ web: blocks })}`;

/** A project `web` with feature flags, until the test is over; the blocks in it are what a configuration says. */
export class Account {
  readonly world: World;

  private constructor(world: World) {
    this.world = world;
  }

  static async start(featureFlags: SeedFlags = {}, switches: Partial<Switches> = {}): Promise<Account> {
    const world = await World.start({ seed: { projects: [{ name: 'web', featureFlags }] }, switches });
    onTestFinished(() => world.stop());
    world.parallelism = 1;
    return new Account(world);
  }

  get own() {
    return this.world.twin.account.projects[0]!.featureFlags;
  }

  flag(slug: string) {
    return this.own.flags.find((one) => one.slug === slug)!;
  }

  segment(slug: string) {
    return this.own.segments.find((one) => one.slug === slug)!;
  }

  async plan(blocks: object, options?: Parameters<World['plan']>[1]) {
    this.learn();
    return this.world.plan(yaml(blocks), options);
  }

  async converge(blocks: object) {
    this.learn();
    return this.world.converge(yaml(blocks));
  }

  configure(blocks: object) {
    return this.world.configure(yaml(blocks));
  }

  /** What was asked of single flags and segments since, and every write: `PATCH flags/banner`. */
  asked(since: number): string[] {
    this.learn();
    const short = (path: string) => path.replace(/^.*feature-flags\//, '').replace(/\?.*/, '');
    return this.world.twin.requests
      .slice(since)
      .filter(({ method, path }) => /feature-flags\/\w+\//.test(path) || method !== 'GET')
      .map(
        ({ method, path }) => `${method} ${short(path).replace(/[^/]+$/, (id) => this.slugs.get(id) ?? id)}`,
      );
  }

  private readonly slugs = new Map<string, string>();
  /** Slugs by id, also of what will be gone. */
  private learn(): void {
    for (const { id, slug } of [...this.own.flags, ...this.own.segments]) this.slugs.set(id, slug);
  }
}
