#!/bin/sh
# Says no, by exit code 2, to commands that name denied.txt.
case $(cat) in
*denied.txt*)
	echo 'proof-deny-reason-7041' >&2
	exit 2
	;;
esac
