import { onTestFinished } from 'vitest';
import { isEntry } from '../../src/ledger/parse-ledger.ts';
import { hasErrors } from '../../src/model/diagnostic.ts';
import { emptyLedger, type Ledger, type OtherStack } from '../../src/model/ledger.ts';
import type { PlanOptions, SiblingStack } from '../../src/plan/input.ts';
import { type Planned, World } from './world.ts';

/** Several stacks that share an account and a store, each with a ledger of its own. */
export class Stacks {
  readonly world: World;
  readonly ledgers = new Map<string, Ledger>();
  /** Ledgers of these are not signed by the key of the others. */
  readonly strangers = new Set<string>();

  constructor(world: World) {
    this.world = world;
  }

  static async start(...options: Parameters<typeof World.start>): Promise<Stacks> {
    const world = await World.start(...options);
    onTestFinished(() => world.stop());
    return new Stacks(world);
  }

  ledgerOf(stack: string): Ledger {
    const { baseUrl, owner } = this.world.ledger;
    return this.ledgers.get(stack) ?? emptyLedger(baseUrl, owner, stack);
  }

  /** Plans the configuration of a stack: what stands below its header. */
  async plan(stack: string, body: string, options: PlanOptions = {}): Promise<Planned> {
    const { world } = this;
    world.ledger = this.ledgerOf(stack);
    world.others = [...this.ledgers]
      .filter(([name]) => name !== stack)
      .map(
        ([name, { entries, inputs }]): OtherStack => ({
          stack: name,
          entries,
          inputs,
          writtenAt: world.now() - 3 * 86_400_000,
          isVerified: world.key !== undefined && !this.strangers.has(name),
          isWellFormed: Object.values(entries).every(isEntry),
        }),
      );
    return world.plan(this.#yaml(stack, body), options);
  }

  /** The configuration of another stack of the same workspace, for the options of a plan. */
  async sibling(stack: string, body: string): Promise<SiblingStack> {
    const { desired, diagnostics } = await this.world.configure(this.#yaml(stack, body));
    return { desired, isBroken: hasErrors(diagnostics) };
  }

  #yaml(stack: string, body: string): string {
    return `stack: ${stack}\nplatform: { team: ${this.world.twin.account.teams[0]!.slug} }\n${body}`;
  }

  /** Carries out a plan of a stack. */
  async carryOut(
    stack: string,
    planned: Planned,
    ...more: Parameters<World['apply']> extends [unknown, ...infer R] ? R : never
  ) {
    this.world.ledger = this.ledgerOf(stack);
    const result = await this.world.apply(planned, ...more);
    this.ledgers.set(stack, this.world.ledger);
    return result;
  }

  /** Plans and applies; throws where the plan has errors. */
  async apply(stack: string, body: string, options: PlanOptions = {}): Promise<Planned> {
    const planned = await this.plan(stack, body, options);
    const errors = planned.plan.diagnostics.filter(({ severity }) => severity === 'error');
    if (errors.length > 0) throw new Error(errors.map(({ message }) => message).join('\n'));
    await this.carryOut(stack, planned);
    return planned;
  }
}
