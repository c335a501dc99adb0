import { z } from 'zod';
import {
  type ApiObject,
  atomic,
  createOnly,
  defineKind,
  type Fields,
  immutable,
  openEnum,
  readMayLack,
  secret,
  updateOnly,
  withTraits,
} from '#kind';

const text = z.string().nullable().optional();
const flag = z.boolean().optional();
const flagOrNull = z.boolean().nullable().optional();
const protectedDeployments = [
  'all',
  'preview',
  'prod_deployment_urls_and_all_previews',
  'all_except_custom_domains',
];
const deploymentType = openEnum(protectedDeployments);

const frameworks =
  'container blitzjs nextjs gatsby remix react-router astro hexo eleventy docusaurus-2 docusaurus preact solidstart-1 solidstart dojo ember vue scully ionic-angular angular polymer svelte sveltekit sveltekit-1 ionic-react create-react-app gridsome umijs sapper saber stencil nuxtjs redwoodjs hugo jekyll brunch middleman zola hydrogen vite tanstack-start tanstack-start-lovable vitepress vuepress parcel fastapi flask fasthtml django ash factory-eve eve sanity sanity-v2 storybook nitro hono express h3 koa nestjs elysia fastify xmcp python ruby rust axum actix-web bun node go services mastra';

interface Link {
  type: string;
  repo: string;
  org?: string;
}
// Written as `owner/name`, read as two members.
const repositoryOf = ({ type, org, repo }: Link) => ({
  type,
  repo: org && !repo.includes('/') ? `${org}/${repo}` : repo,
});
const elastic = ({ resourceConfig }: ApiObject) =>
  (resourceConfig as ApiObject | undefined)?.buildMachineSelection === 'elastic';
// A machine of one's own choice also ends the selection, which would otherwise outlive it.
const machine = (config: ApiObject) =>
  (config.buildMachineType ?? 'elastic') === 'elastic'
    ? config
    : { ...config, buildMachineSelection: 'fixed' };

/** A project. POST takes fewer fields than PATCH, so a creation may need two requests. */
export const project = defineKind({
  name: 'project',
  doc: 'A project: build settings, deployment protection, and everything that belongs to it.',
  section: 'projects',
  key: ['name'],
  replace: 'never',
  container: true,
  fields: {
    name: z.string().min(1).max(100),
    framework: openEnum(frameworks.split(' ')).nullable().optional(),
    rootDirectory: text,
    buildCommand: text,
    installCommand: text,
    devCommand: text,
    outputDirectory: text,
    commandForIgnoringBuildStep: text,
    nodeVersion: updateOnly(openEnum(['24.x', '22.x', '20.x', '18.x'])).optional(),
    // The catalog has no operation that changes the Git link later; reads answer it as `link`.
    gitRepository: immutable(atomic(z.strictObject({ type: z.string(), repo: z.string() }))).optional(),
    skipGitConnectDuringLink: createOnly(z.boolean()).optional(),
    publicSource: readMayLack(z.boolean().nullable()).optional(),
    previewDeploymentSuffix: readMayLack(z.string().nullable()).optional(),
    previewDeploymentsDisabled: readMayLack(z.boolean().nullable()).optional(),
    serverlessFunctionRegion: readMayLack(z.string().nullable()).optional(),
    serverlessFunctionZeroConfigFailover: flag,
    enablePreviewFeedback: flagOrNull,
    enableProductionFeedback: flagOrNull,
    enableAffectedProjectsDeployments: flag,
    ssoProtection: z.strictObject({ deploymentType }).nullable().optional(),
    oidcTokenConfig: z
      .strictObject({ enabled: flag, issuerMode: openEnum(['team', 'global']).optional() })
      .optional(),
    sandbox: z
      .strictObject({ region: z.string().optional(), failoverRegions: z.array(z.string()).optional() })
      .optional(),
    resourceConfig: z
      .strictObject({
        fluid: flag,
        functionDefaultRegions: withTraits(z.array(z.string()), { unordered: true }).optional(),
        functionDefaultTimeout: z.number().optional(),
        functionDefaultMemoryType: openEnum([
          'standard_legacy',
          'standard',
          'performance',
          'performance_xl',
        ]).optional(),
        functionZeroConfigFailover: flag,
        elasticConcurrencyEnabled: flag,
        // `elastic` is asked for as a machine type, and read back as a selection whose machine drifts by itself.
        buildMachineType: openEnum(['basic', 'enhanced', 'standard', 'turbo', 'elastic']).optional(),
        buildQueue: z.strictObject({ configuration: z.string() }).optional(),
        isNSNBDisabled: flag,
        enableFunctionsBeta: flag,
      })
      .optional(),
    autoExposeSystemEnvs: updateOnly(z.boolean()).optional(),
    autoAssignCustomDomains: updateOnly(z.boolean()).optional(),
    customerSupportCodeVisibility: updateOnly(z.boolean()).optional(),
    directoryListing: updateOnly(z.boolean()).optional(),
    gitForkProtection: updateOnly(z.boolean()).optional(),
    gitLFS: updateOnly(z.boolean()).optional(),
    protectedSourcemaps: updateOnly(z.boolean()).optional(),
    sourceFilesOutsideRootDirectory: updateOnly(z.boolean()).optional(),
    enableExternalRewriteCaching: updateOnly(z.boolean()).optional(),
    skewProtectionBoundaryAt: updateOnly(z.int()).optional(),
    skewProtectionMaxAge: updateOnly(z.int()).optional(),
    skewProtectionAllowedDomains: updateOnly(z.array(z.string())).optional(),
    staticIps: updateOnly(z.strictObject({ enabled: z.boolean() })).optional(),
    passwordProtection: updateOnly(
      z.strictObject({
        deploymentType,
        password: withTraits(secret(z.string()), { writeOnly: true }).optional(),
      }),
    )
      .nullable()
      .optional(),
    trustedIps: updateOnly(
      atomic(
        z.strictObject({
          deploymentType: openEnum([...protectedDeployments, 'production']),
          addresses: z.array(z.strictObject({ value: z.string(), note: z.string().optional() })),
          protectionMode: openEnum(['exclusive', 'additional']),
        }),
      ),
    )
      .nullable()
      .optional(),
  },
  api: {
    list: { endpoint: 'GET /v10/projects', items: 'projects' },
    create: 'POST /v11/projects',
    update: 'PATCH /v9/projects/{id}',
    delete: 'DELETE /v9/projects/{id}',
    decode: (object) => ({
      ...(object as Fields),
      ...(object.link ? { gitRepository: repositoryOf(object.link as Link) } : {}),
      ...(elastic(object)
        ? { resourceConfig: { ...(object.resourceConfig as Fields), buildMachineType: 'elastic' } }
        : {}),
    }),
    encode: ({ resourceConfig, ...fields }) => ({
      ...fields,
      ...(resourceConfig ? { resourceConfig: machine(resourceConfig as ApiObject) } : {}),
    }),
  },
});
