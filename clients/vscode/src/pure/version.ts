/** Whether the daemon and the extension understand each other. */

/** The oldest daemon that answers everything the extension asks. */
export const OLDEST_DAEMON = '0.1.0';

export type Fit = 'fits' | 'daemonTooOld' | 'extensionTooOld' | 'unknown';

/** How a daemon's version fits: a newer major version may have changed what an older one promised. */
export function versionFit(version: string | undefined, oldest: string = OLDEST_DAEMON): Fit {
  const daemon = parsed(version);
  const least = parsed(oldest);
  if (daemon === undefined || least === undefined) return 'unknown';
  if (daemon[0] > least[0]) return 'extensionTooOld';
  for (let part = 0; part < 3; part += 1) {
    const difference = (daemon[part] ?? 0) - (least[part] ?? 0);
    if (difference !== 0) return difference > 0 ? 'fits' : 'daemonTooOld';
  }
  return 'fits';
}

function parsed(version: string | undefined): readonly [number, number, number] | undefined {
  const found = /^(\d+)\.(\d+)(?:\.(\d+))?/.exec(version ?? '');
  return found === null ? undefined : [Number(found[1]), Number(found[2]), Number(found[3] ?? 0)];
}
