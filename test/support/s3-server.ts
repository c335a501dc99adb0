import { execFileSync, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import {
  CreateBucketCommand,
  DeleteObjectCommand,
  GetObjectCommand,
  ListObjectsV2Command,
  PutObjectCommand,
  S3Client,
} from '@aws-sdk/client-s3';
import { freePort } from './postgres.ts';

const local = join(import.meta.dirname, '../../node_modules/.cache/linters/python/bin/moto_server');

/** The program of the server, from PyPI; undefined where it is not installed. */
export function s3Program(): string | undefined {
  if (existsSync(local)) return local;
  try {
    return execFileSync('sh', ['-c', 'command -v moto_server'], { encoding: 'utf8' }).trim() || undefined;
  } catch {
    return undefined;
  }
}

/** Why the tests that need a server are skipped. */
export const withoutS3 =
  "skipped: moto's server is not installed (python3 -m venv node_modules/.cache/linters/python && node_modules/.cache/linters/python/bin/pip install 'moto[server]')";

export interface S3Server {
  port: number;
  bucket: string;
  /** The variables that reach it. */
  env: Record<string, string>;
  /** The texts of all objects under a prefix, by their keys. */
  objects(prefix: string): Promise<Map<string, string>>;
  put(key: string, text: string): Promise<void>;
  drop(key: string): Promise<void>;
  close(): Promise<void>;
}

/** Starts a server of our own, with a bucket. */
export async function startS3(): Promise<S3Server> {
  const port = await freePort();
  const server = spawn(s3Program()!, ['-H', '127.0.0.1', '-p', `${port}`], { stdio: 'ignore' });
  const endpoint = `http://127.0.0.1:${port}`;
  const credentials = { accessKeyId: 'test', secretAccessKey: 'canary-secret-access-key' };
  const client = new S3Client({
    region: 'us-east-1',
    endpoint,
    forcePathStyle: true,
    credentials,
    maxAttempts: 1,
  });
  const bucket = 'ledgers';
  for (let left = 600; ; left--) {
    const isUp = await client.send(new CreateBucketCommand({ Bucket: bucket })).then(
      () => true,
      () => false,
    );
    if (isUp) break;
    if (server.exitCode !== null || left === 0)
      throw new Error(`moto's server ended with ${server.exitCode}`);
    await new Promise((done) => setTimeout(done, 100));
  }
  return {
    port,
    bucket,
    env: {
      PATH: process.env.PATH!,
      AWS_ENDPOINT_URL_S3: endpoint,
      AWS_REGION: 'us-east-1',
      AWS_ACCESS_KEY_ID: credentials.accessKeyId,
      AWS_SECRET_ACCESS_KEY: credentials.secretAccessKey,
    },
    objects: async (prefix) => {
      const { Contents = [] } = await client.send(
        new ListObjectsV2Command({ Bucket: bucket, Prefix: prefix }),
      );
      const found = await Promise.all(
        Contents.map(async ({ Key }) => {
          const { Body } = await client.send(new GetObjectCommand({ Bucket: bucket, Key: Key! }));
          return [Key!, await Body!.transformToString()] as const;
        }),
      );
      return new Map(found);
    },
    put: async (Key, Body) => {
      await client.send(new PutObjectCommand({ Bucket: bucket, Key, Body }));
    },
    drop: async (Key) => {
      await client.send(new DeleteObjectCommand({ Bucket: bucket, Key }));
    },
    close: async () => {
      client.destroy();
      const ended = new Promise((done) => server.once('close', done));
      server.kill('SIGKILL');
      await ended;
    },
  };
}
