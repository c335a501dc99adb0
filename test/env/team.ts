import type { SharedEnvVar } from '../../providers/hosting/twin/env/shared-env-row.ts';
import type { Switches } from '../../providers/hosting/twin/index.ts';
import type { PlanOptions } from '../../src/plan/input.ts';
import { World } from '../support/world.ts';

interface Options {
  /** Found ones: encrypted, for all targets, linked to nothing, unless they say otherwise. */
  found?: ({ key: string; value: string } & Partial<SharedEnvVar>)[];
  switches?: Partial<Switches>;
  /** The team takes only sensitive variables outside development. */
  strict?: boolean;
}

/** A team with the projects `web`, `docs` and `shop`, and its shared variables in short form. */
export class Team {
  readonly world: World;

  private constructor(world: World) {
    this.world = world;
  }

  static async start({ found = [], switches = {}, strict = false }: Options = {}): Promise<Team> {
    const policy = { slug: 'acme', sensitiveEnvironmentVariablePolicy: strict ? 'on' : 'default' } as const;
    const projects = ['web', 'docs', 'shop'].map((name) => ({ name }));
    const team = new Team(await World.start({ seed: { team: policy, projects }, switches }));
    for (const [i, row] of found.entries()) team.add({ id: `env_found_${i}`, ...row });
    return team;
  }

  get all(): SharedEnvVar[] {
    return this.world.twin.account.sharedEnv;
  }

  /** Puts a variable into the account, behind the back of the API. */
  add(row: { id: string; key: string; value: string } & Partial<SharedEnvVar>): void {
    const { account } = this.world.twin;
    const target = ['production', 'preview', 'development'];
    const times = { createdAt: 1, updatedAt: 1, createdBy: null, updatedBy: null };
    account.sharedEnv.push({
      ownerId: account.teams[0]!.id,
      type: 'encrypted',
      target,
      projectId: [],
      ...times,
      ...row,
    });
  }

  row(key: string): SharedEnvVar {
    return this.all.find((row) => row.key === key)!;
  }

  projectId = (name: string): string => this.world.twin.account.projects.find((one) => one.name === name)!.id;

  /** The YAML for these lines of `sharedEnv:`. */
  yaml(sharedEnv: string, projects = 'web: {}, docs: {}, shop: {}'): string {
    const lines = sharedEnv
      .trim()
      .split('\n')
      .map((line) => `  ${line.trim()}`)
      .join('\n');
    return `
secrets: { database: { env: DATABASE } }
projects: { ${projects} }
sharedEnv:
${lines}
`;
  }

  plan = (sharedEnv: string, options?: PlanOptions) => this.world.plan(this.yaml(sharedEnv), options);
  converge = (sharedEnv: string, options?: PlanOptions) => this.world.converge(this.yaml(sharedEnv), options);

  async codes(sharedEnv: string, options?: PlanOptions): Promise<string[]> {
    return (await this.plan(sharedEnv, options)).plan.diagnostics.map(({ code }) => code);
  }

  /** All rows: `A=1 encrypted production preview -> docs web # comment`. */
  rows(): string[] {
    const name = (id: string) => this.world.twin.account.projects.find((one) => one.id === id)?.name;
    return this.all
      .map(({ key, value, type, target, projectId, comment }) => {
        const links = projectId.length > 0 ? ` -> ${projectId.map(name).sort().join(' ')}` : '';
        return `${key}=${value} ${type} ${target.join(' ')}${links}${comment ? ` # ${comment}` : ''}`;
      })
      .sort();
  }

  /** The writes since the last call: `PATCH target+value type` (a word for each row), `POST 2`, `DELETE 1`. */
  sent(): string[] {
    const writes = this.world.twin.requests.filter(
      ({ method, path }) => method !== 'GET' && /\/v1\/env\b/.test(path),
    );
    this.world.twin.clearRequests();
    return writes.map(({ method, body }) => {
      const { evs, ids, updates = {} } = body as { evs?: []; ids?: []; updates?: Record<string, object> };
      const words = Object.values(updates).map((update) => Object.keys(update).sort().join('+'));
      return `${method} ${(evs ?? ids)?.length ?? words.sort().join(' ')}`;
    });
  }
}
