import { asksForWrite, type Change, type Fields, type Value } from '#kind';
import { acceptsFewer, type Claim, losesItems } from '../lost-access.ts';

/** Environments in a rule of trusted sources: some by their slugs, or all custom ones. */
interface Environments {
  slugs?: string[];
  preset?: 'all-custom';
}
interface SourceProject {
  customAllow?: { from: Environments; to: Environments }[];
}
interface AcceptedToken {
  to: Environments;
  claims: Record<string, string[]>;
}
/** The value of `trustedSources`: who may call the protected deployments of a project. */
interface TrustedSources {
  projects?: Record<string, SourceProject>;
  oidcProviders?: Record<string, AcceptedToken[]>;
  enableVercelCiSameRepository?: boolean;
}

/** The fields of a project that let somebody in. Each function returns true if somebody may lose access. `id`: the id of the project. */
const lossesOf: Record<string, (before: Value, after: Value, id: string) => boolean> = {
  trustedSources: (before, after, id) =>
    trustsLess((before ?? {}) as TrustedSources, (after ?? {}) as TrustedSources, id),
  trustedIps: (before, after) => admitsFewerAddresses(before as Fields | null, after as Fields | null),
  passport: (before, after) => requiresSignIn(before as Fields | null, after as Fields | null),
};

/**
 * True if a change of a project may take access away from a caller, an address or a visitor that `trustedSources`, `trustedIps` or
 * `passport` lets in. The user has to permit such a change. Protection by members only or by a password is left out: it asks everybody the
 * same.
 */
export function losesAccess({ before, after, fields, id = '' }: Change): boolean {
  if (!before || !after) return false;
  const written = new Set(fields.filter(asksForWrite).map(({ path }) => path.split('.')[0]!));
  return Object.entries(lossesOf).some(
    ([name, isLoss]) =>
      written.has(name) && isLoss(before.fields[name] ?? null, after.fields[name] ?? null, id),
  );
}

/**
 * True if a project or token that `before` trusts may call less with `after`. A project may always call itself, unless it has own rules.
 */
function trustsLess(before: TrustedSources, after: TrustedSources, id: string): boolean {
  const [old, current] = [before, after].map(({ projects }) => ({ [id]: {}, ...projects })) as [
    Record<string, SourceProject>,
    Record<string, SourceProject>,
  ];
  const keepsProjects = Object.entries(old).every(([name, source]) => {
    const wider = current[name];
    return wider !== undefined && includesRules(wider, source);
  });
  const keepsTokens = Object.entries(before.oidcProviders ?? {}).every(([issuer, tokens]) =>
    tokens.every((token) => after.oidcProviders?.[issuer]?.some((wider) => includesToken(wider, token))),
  );
  const losesCi = before.enableVercelCiSameRepository === true && after.enableVercelCiSameRepository !== true;
  return !keepsProjects || !keepsTokens || losesCi;
}

/** True if each environment that a trusted project may call by `rules` may be called by `wider`, too. */
const includesRules = (wider: SourceProject, { customAllow }: SourceProject): boolean =>
  customAllow === undefined || wider.customAllow === undefined
    ? customAllow === wider.customAllow
    : customAllow.every(({ from, to }) =>
        wider.customAllow!.some(
          (rule) => includesEnvironments(rule.from, from) && includesEnvironments(rule.to, to),
        ),
      );

/** True if a rule accepts all tokens that another one accepts, for the same environments at least. */
const includesToken = (wider: AcceptedToken, { to, claims }: AcceptedToken): boolean =>
  includesEnvironments(wider.to, to) && !acceptsFewer(claimsIn(claims), claimsIn(wider.claims));

const claimsIn = (claims: Record<string, string[]>): Claim[] =>
  Object.entries(claims).map(([name, values]) => ({ name, values: values.map((value) => ({ value })) }));

const systemSlugs = ['production', 'preview', 'development'];

const includesEnvironments = (wider: Environments, { slugs = [], preset }: Environments): boolean =>
  (preset === undefined || wider.preset === preset) &&
  slugs.every(
    (slug) => wider.slugs?.includes(slug) || (wider.preset === 'all-custom' && !systemSlugs.includes(slug)),
  );

/**
 * True if an address may lose access by a change of `trustedIps`. In the mode `exclusive`, all other addresses are kept out; in the mode
 * `additional`, the addresses pass other protections.
 */
function admitsFewerAddresses(before: Fields | null, after: Fields | null): boolean {
  if (!before || !after) return (before ?? after)!.protectionMode !== (before ? 'exclusive' : 'additional');
  const valuesIn = ({ addresses }: Fields) => (addresses as Fields[]).map(({ value }) => value!);
  return (
    before.deploymentType !== after.deploymentType ||
    (before.protectionMode !== after.protectionMode && after.protectionMode !== 'additional') ||
    losesItems(valuesIn(before), valuesIn(after))
  );
}

/**
 * True if visitors who saw deployments without it may have to sign in with a connector (`passport`): it is new, is another connector, or is
 * for other deployments than a part of all.
 */
function requiresSignIn(before: Fields | null, after: Fields | null): boolean {
  if (!after) return false;
  const { connectorId, deploymentType } = { ...before, ...after };
  return (
    before?.connectorId !== connectorId ||
    (before?.deploymentType !== deploymentType && before?.deploymentType !== 'all')
  );
}
