import type { Seed, Switches } from '../../providers/hosting/twin/index.ts';
import type { FirewallConfig, FirewallRule } from '../../providers/hosting/twin/security/firewall-config.ts';
import type { Plan } from '../../src/model/plan.ts';
import type { Send } from '../../src/model/request.ts';
import type { PlanOptions } from '../../src/plan/input.ts';
import { type Planned, World } from '../support/world.ts';

type AnyFirewall = NonNullable<NonNullable<Seed['projects']>[number]['firewall']>;
export type Rule = Omit<FirewallRule, 'id'>;
export type SeedFirewall = Omit<AnyFirewall, 'rules' | 'draft'> & { rules?: Rule[] };

/** A rule by what tests are about: its name, what it matches (equal texts match equal requests), and what it does. */
export function rule(
  name: string,
  { matches = name, does = 'deny', ...rest }: { matches?: string; does?: string } & Partial<Rule> = {},
): Rule {
  const conditionGroup = [{ conditions: [{ type: 'path', op: 'pre', value: `/${matches}` }] }];
  return { name, active: true, conditionGroup, action: { mitigate: { action: does } }, ...rest };
}

/** One envelope as it was sent, with names in place of ids. */
export type Envelope = [action: string, id: string | null, value: unknown];

/** A world with one project, `web`, and its firewall. */
export class Firewall {
  readonly world: World;

  private constructor(world: World) {
    this.world = world;
  }

  static async start(firewall?: SeedFirewall, switches: Partial<Switches> = {}): Promise<Firewall> {
    const seed = { projects: [{ name: 'web', ...(firewall ? { firewall } : {}) }] } as Seed;
    return new Firewall(await World.start({ seed, switches }));
  }

  stop = (): Promise<void> => this.world.stop();

  get #state() {
    return this.world.twin.account.projects[0]!.firewall;
  }

  /** What is live; changes to it are made behind the tool's back. */
  get active(): FirewallConfig {
    return this.#state.active!;
  }
  set draft(draft: FirewallConfig | null) {
    this.#state.draft = draft;
  }

  /** How many envelopes were taken so far: each makes a version. */
  get version(): number {
    return this.#state.active?.version ?? 0;
  }

  /** What was live after `version`, and after each envelope since. */
  since(version: number): FirewallConfig[] {
    return this.#state.versions.filter((one) => one.version >= version).reverse();
  }

  /** Another list of rules, and nothing remembered of the one before. */
  reset(rules: Rule[]): void {
    const state = this.#state;
    const ids = rules.map((one, index) => ({ id: `rule_${one.name}_${index}`, ...one }));
    state.active = { ...state.active!, version: this.version + 1, rules: ids };
    state.versions = [structuredClone(state.active)];
    this.world.ledger = { ...this.world.ledger, entries: {} };
  }

  /** Lets a test stand between the tool and the platform. */
  intercept(wrap: (send: Send) => Send): void {
    this.#send ??= this.world.connection.send;
    this.world.connection.send = wrap(this.#send);
  }
  #send: Send | undefined;

  names = (): string[] => this.active.rules.map(({ name }) => name);

  /** The block `firewall:` of the project, as YAML text or as data, in a configuration. */
  yaml(firewall: string | object): string {
    if (typeof firewall !== 'string') return `projects: ${JSON.stringify({ web: { firewall } })}`;
    const lines = firewall
      .trimEnd()
      .split('\n')
      .filter((line) => line.trim() !== '');
    const margin = Math.min(...lines.map((line) => line.search(/\S/)));
    const indented = lines.map((line) => `      ${line.slice(margin)}`);
    return ['projects:', '  web:', '    firewall:', ...indented].join('\n');
  }

  plan = (firewall: string | object, options?: PlanOptions): Promise<Planned> =>
    this.world.plan(this.yaml(firewall), options);

  converge = (firewall: string | object, options?: PlanOptions): Promise<Plan> =>
    this.world.converge(this.yaml(firewall), options);

  /** The envelopes since request number `from`. */
  envelopes(from: number): Envelope[] {
    const names = new Map<unknown, string>();
    for (const { rules, ips } of this.#state.versions) {
      for (const { id, name } of rules) names.set(id, name);
      for (const { id, ip } of ips) names.set(id, ip);
    }
    return this.world.twin.requests
      .slice(from)
      .filter(({ method }) => method === 'PATCH')
      .map(({ body, status }) => {
        const { action, id, value } = body as { action: string; id: string | null; value: unknown };
        if (status !== 200) throw new Error(`refused: ${JSON.stringify(body)}`);
        return [action, id === null ? null : (names.get(id) ?? id), value];
      });
  }

  get requestCount(): number {
    return this.world.twin.requests.length;
  }
}
