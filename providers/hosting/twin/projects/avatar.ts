import { hash } from 'node:crypto';
import * as z from 'zod';
import { ApiError, badRequest } from '../errors.ts';
import { projectOfPath } from '../find-project.ts';
import { inEveryProject } from '../kept.ts';
import { operation, type Resource } from '../resource.ts';
import { readProject } from './project-state.ts';

declare module '../account.ts' {
  interface ProjectParts {
    /** The SHA-1 of the stored picture, in hexadecimal digits. */
    avatar: string | null;
  }
  interface ProjectSeed {
    avatar?: z.input<typeof seed>;
  }
}

const types = ['image/jpeg', 'image/jpg', 'image/png', 'image/svg+xml'];
const maxBytes = 5 * 1024 * 1024;

/** Returns the picture as the platform stores it: an SVG loses its scripts and the space between its elements. */
function storedPicture(bytes: Buffer, type: string): Buffer {
  if (type !== 'image/svg+xml') return bytes;
  const text = bytes.toString('utf8').replace(/<script.*?<\/script>/gs, '');
  return Buffer.from(text.replace(/>\s+</g, '><').trim());
}

const seed = z.string().regex(/^[0-9a-f]{40}$/);

/** A project's picture. Its bytes are uploaded, and reads of the project show their digest. It cannot be removed. */
export const avatar: Resource = {
  ...inEveryProject('avatar', null, seed, (_, sha1, project) => {
    project.avatar = sha1;
  }),
  operations: {
    uploadProjectAvatar: operation(
      { on: projectOfPath, statuses: [413, 415], takes: 'bytes' },
      (call, project) => {
        const { bytes } = call;
        if (!bytes?.length) throw badRequest('Invalid request: the body is no file.');
        const type = (call.headers['content-type'] ?? '').split(';')[0]!.trim().toLowerCase();
        if (!types.includes(type))
          throw new ApiError(415, 'unsupported_media_type', 'The avatar must be a JPEG, PNG or SVG.');
        if (bytes.length > maxBytes) throw new ApiError(413, 'payload_too_large', 'The avatar is too large.');
        project.avatar = hash('sha1', storedPicture(bytes, type));
        return readProject(call, project);
      },
    ),
  },
};
