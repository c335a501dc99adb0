import type { Twin } from '../../providers/hosting/twin/index.ts';
import { Shell } from '../support/cli.ts';

/* An account with deployments, and a configuration whose `$then` builds them once more. */

export const seed = {
  team: { id: 'team_1', slug: 'acme' },
  projects: [
    { name: 'web', framework: 'nextjs', deployments: [{ id: 'dpl_live', target: 'production' }] },
    { name: 'site-de', deployments: [{ id: 'dpl_de', target: 'production' }] },
    { name: 'site-fr', deployments: [{ id: 'dpl_fr', target: 'production' }] },
    { name: 'empty' },
  ],
};

const redeploy = '{ redeploy: { target: production }, when: [env, framework] }';

/** The configuration of one project, with its variables and what follows their change. */
export const web = (url: string, rest = '', then = `[${redeploy}]`) =>
  `stack: demo\nplatform: { team: acme }\nprojects:\n  web:\n    framework: nextjs\n    $then: ${then}\n    env: { API_URL: ${url}${rest} }\n`;

/** Makes a deployment by hand, of the one that serves at first. */
const built = [
  ...['api', 'createDeployment', '--query', 'forceNew=1', '--field', 'name=web'],
  ...['--field', 'target=production', '--field', 'deploymentId=dpl_live', '--auto-approve'],
];

/** A stack in a folder, and its account on a twin. */
export class ThenStand {
  shell!: Shell;
  twin!: Twin;
  /** The time of both, where it was made with `inQuickTime`. */
  #now = Date.parse('2026-03-01T12:00:00Z');

  /** Begins anew, in real time. */
  async begin(): Promise<void> {
    this.shell = await new Shell().write({ 'trueup.yaml': web('one') });
    this.twin = await this.shell.withTwin(seed);
  }

  /** Begins anew, with a clock that the twin has too, in which seconds take no time. */
  async inQuickTime(switches: Record<string, unknown> = {}): Promise<void> {
    this.shell = await new Shell().write({ 'trueup.yaml': web('one') });
    this.shell.clock = {
      now: () => this.#now,
      monotonic: () => this.#now,
      sleep: async (milliseconds, stop) => {
        // The lease is renewed every ten seconds: they take a moment, or nothing else got its turn.
        if (milliseconds >= 10_000) await new Promise((done) => setTimeout(done, 50));
        if (stop?.aborted) throw new Error('stopped');
        this.pass(milliseconds);
      },
    };
    this.twin = await this.shell.withTwin(seed, { now: this.shell.clock.now, switches } as never);
  }

  pass(milliseconds: number): void {
    this.#now += milliseconds;
  }

  write(text: string): Promise<Shell> {
    return this.shell.write({ 'trueup.yaml': text });
  }

  apply(...args: string[]) {
    return this.shell.run(['apply', '--auto-approve', '--settle', '0', ...args]);
  }

  plan(...args: string[]) {
    return this.shell.run(['plan', '--detailed-exitcode', ...args]);
  }

  /** Somebody deploys by hand. */
  build() {
    return this.shell.run(built);
  }

  /** The first of these requests is refused. */
  fails(operation: string, status: 400 | 403 | 500): void {
    this.twin.setFaults({ faults: [{ at: { operation, nth: 1 }, do: { type: 'status', status } }] });
  }

  /** The answer to the first request for a deployment is lost: before it is made, or after. */
  loses(when: 'before' | 'after'): void {
    this.twin.setFaults({
      faults: [{ at: { operation: 'createDeployment', nth: 1 }, do: { type: 'connectionReset', when } }],
    });
  }

  /** What each request for a deployment builds once more. */
  made(): (string | undefined)[] {
    return this.twin.requests
      .filter(({ method, path }) => method === 'POST' && path.startsWith('/v13/deployments'))
      .map(({ body }) => (body as { deploymentId: string } | undefined)?.deploymentId);
  }
}
