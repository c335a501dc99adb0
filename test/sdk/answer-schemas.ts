import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import type * as z from 'zod/v3';

/*
 * The schemas by which the public SDK reads answers. A twin whose answers they reject would teach the kinds a form that the platform
 * does not have, so every-body.test.ts holds each operation's answers against them.
 */

const folder = path.resolve(import.meta.dirname, '../../node_modules/@vercel/sdk/esm/funcs');

/** Operations whose answers the SDK rejects although the twin's form is right, or is a known simplification; each must be needed. */
export const misread: Record<string, string> = {
  getEdgeConfigs: 'the SDK lost the list around the configs',
  getEdgeConfigTokens: 'the SDK lost the list around the tokens',
  getEdgeConfigSchema: 'the SDK wants an object, and a JSON Schema may be `true` or `false`',
  patchEdgeConfigSchema: 'the SDK wants an object, and a JSON Schema may be `true` or `false`',
  deleteSecurityFirewallConfigByConfigVersion: 'the SDK reads a body from a 204, which has none',
  cancelDeployment: 'the twin leaves out settings of the build, which no kind and no action reads',
  createIntegrationStoreDirect: 'the twin leaves out details of the product, which the kind does not read',
};

/** The schema of one answer in the SDK: its name and the module that exports it. */
export interface AnswerSchema {
  status: number;
  name: string;
  module: string;
}

/** Returns the schemas of successful answers by operation id; without operations that the SDK lacks or whose answers have no body. */
export function answerSchemas(): Map<string, AnswerSchema[]> {
  const files = readdirSync(folder).filter((file) => file.endsWith('.js'));
  return new Map(
    files.flatMap((file): [string, AnswerSchema[]][] => {
      const source = readFileSync(path.join(folder, file), 'utf8');
      const id = /operationID: "([^"]+)"/.exec(source)?.[1];
      const found = [...source.matchAll(/M\.json\((\d+), ([\w.$]+)\)/g)].flatMap(([, status, name]) => {
        const module = new RegExp(
          `import \\{[^}]*\\b${name!.replaceAll('$', '\\$')},[^}]*\\} from "\\.\\./(models/[^"]+)"`,
        ).exec(source)?.[1];
        return module === undefined ? [] : [{ status: Number(status), name: name!, module }];
      });
      return id === undefined || found.length === 0 ? [] : [[id, found]];
    }),
  );
}

/** Returns why the SDK rejects an answer; undefined if it accepts it. */
export async function rejectionOf(schema: AnswerSchema, body: unknown): Promise<string | undefined> {
  const schemas = (await import(`@vercel/sdk/${schema.module}`)) as Record<string, z.ZodTypeAny>;
  const { error } = schemas[schema.name]!.safeParse(body);
  const issue = error?.issues[0];
  return issue && `${issue.path.join('.') || 'the body'}: ${issue.message}`;
}
