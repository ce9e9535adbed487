#!/bin/sh
# @NAME@ are filled in by install.sh. Runs a command of the installed panel with the service's settings, read as
# systemd reads them.
umask 077
exec systemd-run --quiet --collect --pipe --wait --same-dir --unit="controlpanel-orden-$$" \
  --property=UMask=0077 --property=Environment='PANEL_DATA=@DATA@ PANEL_COMMAND=controlpanel PANEL_SETTINGS=@SETTINGS@' --property=EnvironmentFile=-@SETTINGS@ \
  -- @BUN@ @PREFIX@/current/deploy/node/panel.ts "$@"
