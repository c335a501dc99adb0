import { onTestFinished } from 'vitest';
import { emptyLedger, type Ledger, type OtherStack } from '../../src/model/ledger.ts';
import type { PlanOptions } from '../../src/plan/input.ts';
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
        ([name, { entries }]): OtherStack => ({
          stack: name,
          entries,
          writtenAt: world.now() - 3 * 86_400_000,
          isVerified: !this.strangers.has(name),
        }),
      );
    const header = `stack: ${stack}\nplatform: { team: ${world.twin.account.teams[0]!.slug} }\n`;
    return world.plan(header + body, options);
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
