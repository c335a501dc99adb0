import * as z from 'zod';
import type { Owner } from '../account.ts';
import type { Call, Making, Stamped } from '../call.ts';
import { notFound } from '../errors.ts';
import { operation, type Resource } from '../resource.ts';

/** Something that a partner provides to an installation, under an id of the partner's. */
export interface MarketplaceResource {
  id: string;
  internalId: string;
  name: string;
  productId: string;
  status: string;
  billingPlan?: { id: string };
  metadata?: Record<string, unknown>;
  notification?: unknown;
  /** By name. No answer shows them. */
  secrets: Record<string, unknown>;
  /** The flags and experiments, by id. No answer shows them. */
  items: Record<string, unknown>;
  config?: { items: Record<string, unknown>; digest: string; updatedAt: number };
}

/** An integration that a team has installed. */
export interface Installation extends Stamped {
  ownerId: string;
  status: string;
  externalId?: string;
  notification?: unknown;
  billingPlan?: { id: string };
  resources: MarketplaceResource[];
}

declare module '../account.ts' {
  interface AccountParts extends Keeps<'installations', Installation> {}
}

const statuses = ['ready', 'pending', 'onboarding', 'suspended', 'resumed', 'uninstalled', 'error'];
export const status = z.enum(statuses);

const details = z.array(z.strictObject({ label: z.string(), value: z.string().optional() })).optional();
export const billingPlan = z.looseObject({
  id: z.string(),
  type: z.enum(['prepayment', 'subscription']),
  name: z.string(),
  description: z.string().optional(),
  paymentMethodRequired: z.boolean().optional(),
  cost: z.string().optional(),
  details,
  highlightedDetails: details,
  effectiveDate: z.string().optional(),
});
export const notification = z.strictObject({
  level: z.enum(['info', 'warn', 'error']),
  title: z.string(),
  message: z.string().optional(),
  href: z.string().optional(),
});

const body = z.strictObject({
  status: status.optional(),
  externalId: z.string().optional(),
  billingPlan: billingPlan.optional(),
  notification: z.union([notification, z.string()]).optional(),
});

/**
 * Returns the installation with this id; with `owner`, only one of this owner. Creates it if no owner has it and the id has the right form,
 * because only a person can install an integration. Throws 404 otherwise.
 */
export function findInstallation({ account, time }: Making, id: string, owner?: Owner): Installation {
  const installation = account.installations.find((installation) => installation.id === id);
  if (installation ? owner && installation.ownerId !== owner.id : !/^icfg_\w+$/.test(id))
    throw notFound('Installation');
  if (installation) return installation;
  const ownerId = (owner ?? account.teams[0] ?? account.user).id;
  const timestamp = time();
  const installed = {
    id,
    ownerId,
    status: 'ready',
    createdAt: timestamp,
    updatedAt: timestamp,
    resources: [],
  };
  account.installations.push(installed);
  return installed;
}

/** Returns the installation that the path of a partner's request names. Its token is for that installation only, so no scope is needed. */
export const installationOf = (call: Call): Installation =>
  findInstallation(call, call.params.integrationConfigurationId!);

/** Installed integrations. Reads do not show their billing plan. */
export const installation: Resource = {
  keeps: { account: { installations: [] } },
  operations: {
    getConfiguration: operation(
      { on: (call) => findInstallation(call, call.params.id!, call.owner) },
      (call, { resources: _, billingPlan: __, ...one }) => ({
        ...one,
        type: 'integration-configuration',
        installationType: 'marketplace',
        source: 'marketplace',
        integrationId: 'oac_twin',
        slug: 'twin',
        scopes: [],
        userId: call.account.user.id,
        teamId: call.owner.team?.id ?? null,
      }),
    ),
    'update-installation': operation(
      { on: installationOf, body, statuses: [204] },
      (call, installation, changes) => {
        Object.assign(installation, changes, { updatedAt: call.time() });
      },
    ),
  },
};
