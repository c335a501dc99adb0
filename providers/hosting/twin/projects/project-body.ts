import * as z from 'zod';
import { strings } from '../validate.ts';
import { bothFields, frameworks, protectedDeployments, text } from './project-fields.ts';

/** The body of POST /v11/projects. */
export const createProjectBody = z.strictObject({
  ...bothFields,
  name: z.string(),
  // The public schema has no null here; the Terraform provider sends it for none.
  framework: z.enum(frameworks).nullable().optional(),
  ssoProtection: z.strictObject({ deploymentType: protectedDeployments }).nullable().optional(),
  gitRepository: z
    .strictObject({
      repo: z.string(),
      type: z.enum(['github', 'github-limited', 'gitlab', 'bitbucket', 'vercel', 'cursor-origin']),
    })
    .optional(),
  environmentVariables: z.array(z.unknown()).optional(),
});

const target = z.enum(['production', 'preview']);
/** Describes a policy: rules that name environments and the sources that are allowed for them. */
const policySource = <T extends z.ZodType>(sources: T) =>
  z
    .array(
      z.strictObject({
        enabled: z.boolean(),
        environments: z.array(
          z.union([
            z.strictObject({ type: z.literal('system'), target }),
            z.strictObject({ type: z.literal('custom'), environmentId: z.string() }),
          ]),
        ),
        sources: z.array(sources),
      }),
    )
    .nullable()
    .optional();

const preset = z.literal('all-custom');
const customAllow = z.union([
  z.strictObject({ slugs: strings, preset: preset.optional() }),
  z.strictObject({ slugs: strings.optional(), preset }),
]);

/** The body of PATCH /v9/projects/{idOrName}. */
export const updateProjectBody = z.strictObject({
  ...bothFields,
  name: z.string().optional(),
  framework: z.enum(frameworks).nullable().optional(),
  autoExposeSystemEnvs: z.boolean().optional(),
  autoAssignCustomDomains: z.boolean().optional(),
  autoAssignCustomDomainsUpdatedBy: z.string().optional(),
  customerSupportCodeVisibility: z.boolean().optional(),
  directoryListing: z.boolean().optional(),
  // The public schema lacks the next three; the Terraform provider sends them, `gitComments` as null when unset.
  gitComments: z.record(z.string(), z.unknown()).nullable().optional(),
  gitProviderOptions: z.record(z.string(), z.unknown()).nullable().optional(),
  productionDeploymentsFastLane: z.boolean().optional(),
  gitForkProtection: z.boolean().optional(),
  gitLFS: z.boolean().optional(),
  protectedSourcemaps: z.boolean().optional(),
  nodeVersion: z.enum(['24.x', '22.x', '20.x', '18.x', '16.x', '14.x', '12.x', '10.x']).optional(),
  skewProtectionBoundaryAt: z.int().min(0).optional(),
  skewProtectionMaxAge: z.int().min(0).optional(),
  skewProtectionAllowedDomains: strings.optional(),
  sourceFilesOutsideRootDirectory: z.boolean().optional(),
  enableExternalRewriteCaching: z.boolean().optional(),
  staticIps: z.strictObject({ enabled: z.boolean() }).optional(),
  tracing: z
    .strictObject({
      domains: z.string().optional(),
      ignorePaths: strings.optional(),
      samplingRules: z
        .array(
          z.strictObject({
            rate: z.number(),
            env: target.optional(),
            requestPath: z.string().optional(),
            destination: z.enum(['internal', 'external']).optional(),
          }),
        )
        .optional(),
    })
    .nullable()
    .optional(),
  passwordProtection: z
    .strictObject({ deploymentType: protectedDeployments, password: text.optional() })
    .nullable()
    .optional(),
  passport: z
    .strictObject({ connectorId: z.string(), deploymentType: protectedDeployments.optional() })
    .nullable()
    .optional(),
  ssoProtection: z.strictObject({ deploymentType: protectedDeployments.optional() }).nullable().optional(),
  trustedIps: z
    .strictObject({
      deploymentType: z.enum([...protectedDeployments.options, 'production']),
      addresses: z.array(z.strictObject({ value: z.string(), note: z.string().optional() })),
      protectionMode: z.enum(['exclusive', 'additional']),
    })
    .nullable()
    .optional(),
  trustedSources: z
    .strictObject({
      enableVercelCiSameRepository: z.boolean().optional(),
      projects: z
        .record(
          z.string(),
          z.strictObject({
            label: z.string().optional(),
            customAllow: z.array(z.strictObject({ to: customAllow, from: customAllow })).optional(),
          }),
        )
        .optional(),
      oidcProviders: z
        .record(
          z.string(),
          z.array(
            z.strictObject({
              label: z.string().optional(),
              to: customAllow,
              claims: z.record(z.string(), strings),
            }),
          ),
        )
        .optional(),
    })
    .nullable()
    .optional(),
  deploymentPolicy: z
    .strictObject({
      gitSources: policySource(
        z.union([
          z.strictObject({
            provider: z.enum(['github', 'bitbucket']),
            org: z.string(),
            repo: z.string().optional(),
          }),
          z.strictObject({
            provider: z.literal('gitlab'),
            namespace: z.string(),
            project: z.string().optional(),
          }),
        ]),
      ),
      deploymentSources: policySource(z.enum(['git', 'cli', 'rest-api', 'deploy-hook', 'integration', 'v0'])),
    })
    .nullable()
    .optional(),
  optionsAllowlist: z
    .strictObject({ paths: z.array(z.strictObject({ value: z.string() })) })
    .nullable()
    .optional(),
  connectConfigurations: z
    .array(
      z.strictObject({
        envId: z.string(),
        connectConfigurationId: z.string(),
        passive: z.boolean(),
        buildsEnabled: z.boolean(),
      }),
    )
    .nullable()
    .optional(),
  dismissedToasts: z
    .array(
      z.strictObject({
        key: z.string(),
        dismissedAt: z.number(),
        action: z.enum(['cancel', 'accept', 'delete']),
        value: z.unknown().optional(),
      }),
    )
    .optional(),
});

/** Fields that are read, and that no write operation of the catalog takes. */
export const readOnlyFields = {
  link: z.record(z.string(), z.unknown()).optional(),
  live: z.boolean().optional(),
  paused: z.boolean().optional(),
};

const writtenOnly = [
  'environmentVariables',
  'gitRepository',
  'skipGitConnectDuringLink',
  'passwordProtection',
];

/** The members of a project that a read shows as they are stored. `readProject` chooses the rest, from the objects below the project. */
export const readableFields: readonly string[] = [
  'id',
  'accountId',
  'createdAt',
  'updatedAt',
  'crons',
  ...Object.keys({ ...createProjectBody.shape, ...updateProjectBody.shape, ...readOnlyFields }).filter(
    (field) => !writtenOnly.includes(field),
  ),
];
