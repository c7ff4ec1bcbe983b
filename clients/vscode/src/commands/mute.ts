/** Mutes: a lens or a warning that somebody does not want to see, on this machine. */

import type { Services } from './services';

export async function mute(_services: Services, _given: unknown): Promise<void> {}

export async function unmute(_services: Services): Promise<void> {}
