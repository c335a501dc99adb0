import type { Project } from '../account.ts';
import type { Making } from '../call.ts';
import { badRequest } from '../errors.ts';
import type { EnvShape } from './env-row.ts';

/* The rules for writes of variables that seeds need not obey, because a variable of an account may be older than a rule. */

/** The names that the platform reserves for itself. Source: its documentation, Reserved environment variables. */
const reservedNames = new Set([
  ...['AWS_SECRET_KEY', 'AWS_EXECUTION_ENV', 'AWS_LAMBDA_LOG_GROUP_NAME', 'AWS_LAMBDA_LOG_STREAM_NAME'],
  ...['AWS_LAMBDA_FUNCTION_NAME', 'AWS_LAMBDA_FUNCTION_MEMORY_SIZE', 'AWS_LAMBDA_FUNCTION_VERSION'],
  ...['NOW_REGION', 'TZ', 'LAMBDA_TASK_ROOT', 'LAMBDA_RUNTIME_DIR'],
]);

/** The prefixes of variables that frameworks put into code for browsers. Source: the platform's command line. */
const publicPrefix =
  /^(NEXT_PUBLIC_|VITE_|REACT_APP_|GATSBY_|NUXT_ENV_|PUBLIC_|VUE_APP_|REDWOOD_ENV_|SANITY_STUDIO_)/i;

/** The members of a variable that say where it is available. */
type Places = Pick<EnvShape, 'customEnvironmentIds' | 'applyToAllCustomEnvironments'> & {
  target?: string[] | undefined;
};
type PolicyScope = Pick<Making, 'owner' | 'switches'>;

/** True if the team's policy requires a variable in these places to be sensitive. It exempts variables that are only in development. */
function isBound({ owner }: PolicyScope, places: Places): boolean {
  const { target = [], customEnvironmentIds = [], applyToAllCustomEnvironments } = places;
  const isDeployed = target.some((name) => name !== 'development') || customEnvironmentIds.length > 0;
  const isOn = owner.team?.sensitiveEnvironmentVariablePolicy === 'on';
  return isOn && (isDeployed || applyToAllCustomEnvironments === true);
}

/** Returns a new variable with its final type: under the team's policy, the platform may make it sensitive instead of refusing it. */
export const withPolicyType = <Env extends Places & { type: string }>(scope: PolicyScope, env: Env): Env =>
  scope.switches.policyMakesSensitive && isBound(scope, env) ? { ...env, type: 'sensitive' } : env;

/**
 * Throws 400 if a variable cannot be written as it is. No source has the codes of these refusals. `before`: the variable before a change
 * that sends neither a value nor a type. The policy is about new variables, so it lets an older one be.
 */
export function checkWrittenEnvVar(scope: PolicyScope, env: EnvShape, before?: EnvShape): void {
  const { key, type, visibility, target = [] } = env;
  if (reservedNames.has(key)) {
    throw badRequest('The name of your Environment Variable is reserved').by('PF12');
  }
  const bound = isBound(scope, env);
  const isOlder = before !== undefined && isBound(scope, before);
  if (bound && !isOlder && type !== 'sensitive' && !scope.switches.policyMakesSensitive) {
    throw badRequest(
      'The policy of this team allows only sensitive environment variables for production, preview and custom environments.',
    ).by('PF14');
  }
  // The command line leaves out the visibility under the policy, because the platform makes such a variable sensitive as well.
  const isSecret = visibility === 'secret' || (type === 'sensitive' && !bound);
  const isDeployed = target.some((name) => name !== 'development');
  if (isSecret && isDeployed && publicPrefix.test(key)) {
    throw badRequest(
      `The environment variable \`${key}\` has a public framework prefix. It cannot be secret in production or preview.`,
    ).by('PF10');
  }
}

/** The most variables of one environment. Source: documentation, Limits. */
const mostVariables = 1000;

/** The places of a variable as texts. Those of a branch are places of their own. */
const placesOf = ({ target = [], customEnvironmentIds = [], gitBranch }: EnvShape): string[] =>
  [...target, ...customEnvironmentIds].map((place) => `${place} ${gitBranch ?? ''}`);

/** Returns the variable before a change if the change sends neither a value nor a type; undefined otherwise. See `checkWrittenEnvVar`. */
export const olderUnlessRewritten = <Env extends EnvShape>(
  env: Env,
  change: { value?: string | undefined; type?: string | undefined },
): Env | undefined => (change.value === undefined && change.type === undefined ? env : undefined);

/** Throws 400 if an environment of the project would have too many variables with these new or changed ones. */
export function checkEnvCount({ env }: Pick<Project, 'env'>, written: readonly EnvShape[]): void {
  if (env.length + written.length <= mostVariables) return;
  const names = new Map<string, Set<string>>();
  for (const variable of [...env, ...written])
    for (const environment of placesOf(variable)) {
      const inPlace = names.get(environment) ?? new Set();
      names.set(environment, inPlace.add(variable.key));
    }
  const isFull = written.some((variable) =>
    placesOf(variable).some((place) => names.get(place)!.size > mostVariables),
  );
  if (isFull) {
    const message = `A project can have ${mostVariables} environment variables per environment.`;
    throw badRequest(message).by('PF13');
  }
}
