import * as z from 'zod';
import { strings } from '../validate.ts';

/** A string that null clears. */
export const text = z.string().nullable();
const flag = z.boolean().nullable();

/** From the catalog's POST and PATCH bodies, which have the same list. */
export const frameworks =
  'container blitzjs nextjs gatsby remix react-router astro hexo eleventy docusaurus-2 docusaurus preact solidstart-1 solidstart dojo ember vue scully ionic-angular angular polymer svelte sveltekit sveltekit-1 ionic-react create-react-app gridsome umijs sapper saber stencil nuxtjs redwoodjs hugo jekyll brunch middleman zola hydrogen vite tanstack-start tanstack-start-lovable vitepress vuepress parcel fastapi flask fasthtml django ash factory-eve eve sanity sanity-v2 storybook nitro hono express h3 koa nestjs elysia fastify xmcp python ruby rust axum actix-web bun node go services mastra'.split(
    ' ',
  );
const regions =
  'iad1 sfo1 cle1 cdg1 fra1 arn1 sin1 pdx1 lhr1 icn1 bom1 cpt1 dub1 gru1 hkg1 syd1 yul1 hnd1 kix1'.split(' ');
const elasticReasons =
  'oom-failure enospc-failure build-timeout-failure basic-floor high-peak-memory sustained-high-cpu high-peak-disk long-build-duration short-build-duration enterprise-floor'.split(
    ' ',
  );

/** Which deployments a protection covers. */
export const protectedDeployments = z.enum([
  'all',
  'preview',
  'prod_deployment_urls_and_all_previews',
  'all_except_custom_domains',
]);

const resourceConfig = z.strictObject({
  buildMachineType: z.enum(['basic', 'enhanced', 'turbo', 'standard', 'elastic']).optional(),
  buildMachineSelection: z.enum(['elastic', 'fixed']).optional(),
  buildQueue: z
    .strictObject({ configuration: z.enum(['SKIP_NAMESPACE_QUEUE', 'WAIT_FOR_NAMESPACE_QUEUE']).optional() })
    .optional(),
  fluid: z.boolean().optional(),
  functionDefaultRegions: strings.optional(),
  functionDefaultTimeout: z.number().optional(),
  functionDefaultMemoryType: z
    .enum(['standard_legacy', 'standard', 'performance', 'performance_xl'])
    .optional(),
  functionZeroConfigFailover: z.boolean().optional(),
  elasticConcurrencyEnabled: z.boolean().optional(),
  buildMachineElasticLastUpdated: z.number().optional(),
  buildMachineElasticReason: z.enum(elasticReasons).optional(),
  isNSNBDisabled: z.boolean().optional(),
  enableFunctionsBeta: z.boolean().optional(),
});

/** Fields that both POST and PATCH take. */
export const bothFields = {
  buildCommand: text.optional(),
  commandForIgnoringBuildStep: text.optional(),
  devCommand: text.optional(),
  enableAffectedProjectsDeployments: z.boolean().optional(),
  enablePreviewFeedback: flag.optional(),
  enableProductionFeedback: flag.optional(),
  installCommand: text.optional(),
  oidcTokenConfig: z
    .strictObject({ enabled: z.boolean().optional(), issuerMode: z.enum(['team', 'global']).optional() })
    .optional(),
  outputDirectory: text.optional(),
  previewDeploymentSuffix: text.optional(),
  previewDeploymentsDisabled: flag.optional(),
  resourceConfig: resourceConfig.optional(),
  rootDirectory: text.optional(),
  sandbox: z
    .strictObject({
      region: z.enum(regions).optional(),
      failoverRegions: z.array(z.enum(regions)).optional(),
    })
    .optional(),
  serverlessFunctionRegion: text.optional(),
  serverlessFunctionZeroConfigFailover: z.boolean().optional(),
  skipGitConnectDuringLink: z.boolean().optional(),
};
